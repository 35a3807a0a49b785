import type { LoadChanged, NodeFinished } from './generated/run-event.js';

/** What happens during a run. Every view of a run is fed from it, and `--json` prints it as it is. */
export type { RunEvent, UnverifiedFile } from './generated/run-event.js';
/** Counts of uploads, products, concepts and posts; files only as `downloaded`. Each node is counted once. */
export type { NodeCounts } from './generated/state-record.js';

/** `at_once`, `of`: only while the service throttles. */
export type Load = Omit<LoadChanged, 'type'>;
export type NodeEnd = NodeFinished['end'];
