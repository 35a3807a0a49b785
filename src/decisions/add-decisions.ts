import { isSeq, parseDocument } from 'yaml';
import type { Decision } from './generated/decisions-document.js';

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
  for (const one of added) document.addIn(['decisions'], document.createNode(one, { flow: true }));
  return document.toString({ lineWidth: 0 });
}

/** It was read and checked a moment ago. */
function changed(): NodeJS.ErrnoException {
  const message = 'The file of decisions was changed meanwhile, and has no list of decisions any more';
  return Object.assign(new Error(message), { code: 'EINVAL', syscall: 'write' });
}
