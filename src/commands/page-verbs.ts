import { AT, flag, place, port } from '../cli/flags.ts';
import type { Verb } from './verb.ts';

/** What shows the pictures of a campaign in a browser. */
export const PAGE_VERBS: readonly Verb[] = [
  {
    usage: 'report [manifest...]',
    does: 'write one HTML file to look at all pictures in, offline; sends no request',
    flags: [
      AT,
      flag(
        '--out <file>',
        'where to write it; report.zip packs all pictures (default: report.html in the output folder)',
        place,
      ),
    ],
    examples: ['campaign report', 'campaign report campaign.yaml --out review.zip'],
    load: async () => (await import('./report.ts')).report,
  },
  {
    usage: 'ui [manifest]',
    does: 'serve the page of `report` on 127.0.0.1: it follows a run, and writes decisions to their file',
    flags: [
      AT,
      flag('--port <n>', 'where to listen; 0 takes a free port', port).default(0),
      flag('--open', 'open the page in a browser'),
    ],
    examples: ['campaign ui', 'campaign ui campaign.yaml --env production --open'],
    load: async () => (await import('./ui.ts')).ui,
  },
];
