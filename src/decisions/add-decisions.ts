import { isSeq, parseDocument } from 'yaml';
import { isDecidedLater } from '../model/verdict.ts';
import { idKey } from '../util/id-key.ts';
import type { Decision, Decisions } from './generated/decisions-document.js';

const HEAD = `# What was decided about finished posts, newest last. \`campaign approve\`, \`reject\` and \`decide\` write it, and you may.
version: 1
decisions: []
`;

/** The text of a file of decisions with more of them at the end; its comments stay. */
export function addDecisions(text: string | undefined, added: readonly Decision[]): string {
  const document = parseDocument(text ?? HEAD);
  const list = document.get('decisions');
  if (!isSeq(list)) throw changed();
  list.flow = false;
  const { decisions } = document.toJS() as Decisions;
  for (const one of added) {
    const dated = { ...one, ...(one.at && { at: latest(one.at, decisions, one.media) }) };
    document.addIn(['decisions'], document.createNode(dated, { flow: true }));
  }
  return document.toString({ lineWidth: 0 });
}

/** What is decided now counts, also where the clock of whoever decided before was ahead of this one. */
function latest(at: string, decisions: readonly Decision[], media: string): string {
  return decisions
    .filter((other) => idKey(other.media) === idKey(media))
    .reduce((last, other) => (other.at && isDecidedLater(other.at, last) ? other.at : last), at);
}

/** It was read and checked a moment ago. */
function changed(): NodeJS.ErrnoException {
  const message = 'The file of decisions was changed meanwhile, and has no list of decisions any more';
  return Object.assign(new Error(message), { code: 'EINVAL', syscall: 'write' });
}
