import type { ChangeOptions } from '../app/change-state.ts';
import type { CheckOptions } from '../commands/state-check.ts';
import { flag, LOCK_TIMEOUT, SHARED } from './flags.ts';
import type { SharedOptions } from './options.ts';
import { DEFAULT, targetOf } from './target.ts';
import { type Verb, verb } from './verb.ts';

const CHANGING = [...SHARED, LOCK_TIMEOUT];

/** `campaign state …`: looks into the state, and repairs what it says. */
export const STATE_VERBS: readonly Verb[] = [
  verb<SharedOptions>({
    usage: 'list [manifest]',
    does: 'every node that the state knows',
    flags: SHARED,
    examples: ['campaign state list campaign.yaml --json'],
    async run({ args: [file = DEFAULT], options }) {
      const { stateList } = await import('../commands/state.ts');
      return stateList(file, options);
    },
  }),
  verb<SharedOptions>({
    usage: 'show <manifest-or-address> [address]',
    does: 'all that the state knows of one node',
    flags: SHARED,
    examples: ['campaign state show campaign.yaml product/tote'],
    async run({ args, options }) {
      const { stateShow } = await import('../commands/state.ts');
      const { file, word } = lastWord(args);
      return stateShow(file, word, options);
    },
  }),
  verb<SharedOptions>({
    usage: 'export [manifest]',
    does: 'the whole state as one JSON document',
    flags: SHARED,
    examples: ["campaign state export | jq '.objects[].result.id'"],
    async run({ args: [file = DEFAULT], options }) {
      const { stateExport } = await import('../commands/state-export.ts');
      return stateExport(file, options);
    },
  }),
  verb<CheckOptions>({
    usage: 'check [manifest]',
    does: 'read every line of the state; 76 names the first one that does not hold',
    flags: [
      ...CHANGING,
      flag('--reseal', 'after an edit by hand: show what it comes to and make the chain of checksums anew'),
      flag('-y, --yes', 'reseal without being asked'),
    ],
    examples: ['campaign state check', 'campaign state check campaign.yaml --reseal'],
    async run({ args: [file = DEFAULT], options }) {
      const { stateCheck } = await import('../commands/state-check.ts');
      return stateCheck(file, options);
    },
  }),
  verb<ChangeOptions>({
    usage: 'accept [manifest] [glob...]',
    does: 'take the present inputs as what exists; sends nothing',
    flags: CHANGING,
    examples: ['campaign state accept campaign.yaml', "campaign state accept campaign.yaml 'media/hero/*'"],
    async run({ args, options }) {
      const { stateAccept } = await import('../commands/state-accept.ts');
      const { file, rest } = targetOf(args);
      return stateAccept({ file, globs: rest }, options);
    },
  }),
  verb<ChangeOptions>({
    usage: 'rm <manifest-or-glob> [glob...]',
    does: 'forget nodes: they stay at the service, and the next apply makes them again',
    flags: [...CHANGING, flag('-y, --yes', 'forget without being asked')],
    examples: ['campaign state rm product/tote', "campaign state rm campaign.yaml 'media/hero/*' --yes"],
    async run({ args, options, misuse }) {
      const { file, rest } = targetOf(args);
      if (!rest.length) misuse('error: name the nodes to forget, e.g. product/tote');
      const { stateRm } = await import('../commands/state-rm.ts');
      return stateRm({ file, globs: rest }, options);
    },
  }),
  verb<ChangeOptions>({
    usage: 'new [manifest]',
    does: 'start anew where the state is gone',
    flags: [...CHANGING, flag('-y, --yes', 'start anew without being asked')],
    examples: ['campaign state new campaign.yaml'],
    async run({ args: [file = DEFAULT], options }) {
      const { stateNew } = await import('../commands/state-new.ts');
      return stateNew(file, options);
    },
  }),
  verb<ChangeOptions>({
    usage: 'adopt <manifest-or-file> [file]',
    does: 'a state that has another name is the one of this manifest and environment from now on',
    flags: [...CHANGING, flag('-y, --yes', 'adopt without being asked')],
    examples: ['campaign state adopt spring.yaml m.production.state.jsonl --env production'],
    async run({ args, options }) {
      const { stateAdopt } = await import('../commands/state-adopt.ts');
      const { file, word } = lastWord(args);
      return stateAdopt({ file, from: word }, options);
    },
  }),
  verb<ChangeOptions>({
    usage: 'rebind [manifest]',
    does: 'this file is the state of this campaign, environment and base URL from now on',
    flags: [...CHANGING, flag('-y, --yes', 'rebind without being asked')],
    examples: ['campaign state rebind campaign.yaml --env stage'],
    async run({ args: [file = DEFAULT], options }) {
      const { stateRebind } = await import('../commands/state-rebind.ts');
      return stateRebind(file, options);
    },
  }),
];

/** The manifest comes first, and may be left out. */
function lastWord([first = '', second]: readonly string[]): { file: string; word: string } {
  return second === undefined ? { file: DEFAULT, word: first } : { file: first, word: second };
}
