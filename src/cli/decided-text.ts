import type { Decided } from '../app/resolve-node.ts';
import { storedAs } from '../model/kinds.ts';
import type { Style } from '../render/style.ts';

export function decidedText(decided: Decided, style: Style): string {
  const { event, isSeen, anew } = decided;
  const words = {
    created: 'is recorded as created',
    'not-created': 'is recorded as not created: the next apply requests it',
    skipped: `is given up: ${skippedWords(decided)}`,
  };
  return [
    `${style.green('✓')} ${event.address} ${words[event.decision]}.\n`,
    ...(anew === undefined
      ? []
      : [`  It may have been paid for. \`${anew}\` requests it anew, and pays for it again.\n`]),
    ...(isSeen ? [] : ['  The service was not asked for it: the id is taken as it was given.\n']),
  ].join('');
}

function skippedWords({ event: { address }, was, anew }: Decided): string {
  if (storedAs(address) === 'files') return 'no run fetches it any more';
  const again = 'it is not requested again until it changes';
  if (was !== 'pending') return again;
  // An older take has been requested again already.
  return `no run waits for it or fetches it${anew === undefined ? '' : `, and ${again}`}`;
}
