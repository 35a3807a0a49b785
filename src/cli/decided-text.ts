import type { Decided } from '../app/resolve-node.ts';
import type { DecidedNodes } from '../app/resolve-nodes.ts';
import { storedAs } from '../model/kinds.ts';
import { lookForText } from '../render/look-for-text.ts';
import type { Style } from '../render/style.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';

export function decidedText(decided: Decided, style: Style): string {
  const { event, isSeen, isFound, anew } = decided;
  const id = event.result && 'id' in event.result ? event.result.id : '';
  const words = {
    created: isFound ? `was found (${id}) and is recorded as created` : 'is recorded as created',
    'not-created': isFound
      ? 'is not in the ledger of the emulator, so it is recorded as not created: the next apply requests it'
      : 'is recorded as not created: the next apply requests it',
    skipped: `is given up: ${skippedWords(decided)}`,
  };
  return [
    `${style.green('✓')} ${event.address} ${words[event.decision]}.\n`,
    ...(anew === undefined
      ? []
      : [`  It may have been made. \`${anew}\` requests it anew, and then it is made twice.\n`]),
    ...(isSeen ? [] : ['  The service was not asked for it: the id is taken as it was given.\n']),
  ].join('');
}

export function decidedNodesText({ decided, left, pending }: DecidedNodes, style: Style): string {
  const lines = [
    ...decided.map((each) => decidedText(each, style)),
    ...left.map(({ address, why, look_for: sought }) => {
      const words = sought ? `    Look for ${lookForText(sought)}.\n` : '';
      return `${style.yellow('!')} ${address} stays unknown: ${inertText(why)}.\n${words}`;
    }),
  ];
  const are = pending === 1 ? 'is' : 'are';
  if (pending)
    lines.push(
      `${count(pending, 'post')} ${are} being generated, and ${pending === 1 ? 'was' : 'were'} left: only its own address gives a post up.\n`,
    );
  return lines.join('') || 'Nothing is open: there is nothing to decide.\n';
}

function skippedWords({ event: { address }, was, anew }: Decided): string {
  if (storedAs(address) === 'files') return 'no run fetches it any more';
  const again = 'it is not requested again until it changes';
  if (was !== 'pending') return again;
  // An older take has been requested again already.
  return `no run waits for it or fetches it${anew === undefined ? '' : `, and ${again}`}`;
}
