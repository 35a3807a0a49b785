import type { CheckOptions } from './state-check.ts';
import { flag, LOCK_TIMEOUT, SHARED } from '../cli/flags.ts';
import type { ChangeOptions, SharedOptions } from '../cli/options.ts';
import { type Verb, verb } from './verb.ts';

const CHANGING = [...SHARED, LOCK_TIMEOUT];

/** `campaign state …` */
export const STATE_VERBS: readonly Verb[] = [
  verb<SharedOptions>({
    usage: 'list [manifest]',
    does: 'every node that the state knows',
    flags: SHARED,
    examples: ['campaign state list campaign.yaml --json'],
    run: async (session) => (await import('./state.ts')).stateList(session),
  }),
  verb<SharedOptions>({
    usage: 'show <manifest-or-address> [address]',
    does: 'all that the state knows of one node',
    flags: SHARED,
    examples: ['campaign state show campaign.yaml product/tote'],
    run: async (session) => (await import('./state.ts')).stateShow(session),
  }),
  verb<SharedOptions>({
    usage: 'export [manifest]',
    does: 'the whole state as one JSON document',
    flags: SHARED,
    examples: ["campaign state export | jq '.objects[].result.id'"],
    run: async (session) => (await import('./state-export.ts')).stateExport(session),
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
    run: async (session) => (await import('./state-check.ts')).stateCheck(session),
  }),
  verb<ChangeOptions>({
    usage: 'accept [manifest] [glob...]',
    does: 'take the present inputs as what exists; sends nothing',
    flags: CHANGING,
    examples: ['campaign state accept campaign.yaml', "campaign state accept campaign.yaml 'media/hero/*'"],
    run: async (session) => (await import('./state-accept.ts')).stateAccept(session),
  }),
  verb<ChangeOptions>({
    usage: 'rm <manifest-or-glob> [glob...]',
    does: 'forget nodes: they stay at the service, and the next apply makes them again',
    flags: [...CHANGING, flag('-y, --yes', 'forget without being asked')],
    examples: ['campaign state rm product/tote', "campaign state rm campaign.yaml 'media/hero/*' --yes"],
    run: async (session) => (await import('./state-rm.ts')).stateRm(session),
  }),
  verb<ChangeOptions>({
    usage: 'new [manifest]',
    does: 'start anew where the state is gone',
    flags: [...CHANGING, flag('-y, --yes', 'start anew without being asked')],
    examples: ['campaign state new campaign.yaml'],
    run: async (session) => (await import('./state-new.ts')).stateNew(session),
  }),
  verb<ChangeOptions>({
    usage: 'adopt <manifest-or-file> [file]',
    does: 'a state that has another name is the one of this manifest and environment from now on',
    flags: [...CHANGING, flag('-y, --yes', 'adopt without being asked')],
    examples: ['campaign state adopt spring.yaml m.production.state.jsonl --env production'],
    run: async (session) => (await import('./state-adopt.ts')).stateAdopt(session),
  }),
  verb<ChangeOptions>({
    usage: 'rebind [manifest]',
    does: 'this file is the state of this campaign, environment and base URL from now on',
    flags: [...CHANGING, flag('-y, --yes', 'rebind without being asked')],
    examples: ['campaign state rebind campaign.yaml --env stage'],
    run: async (session) => (await import('./state-rebind.ts')).stateRebind(session),
  }),
];
