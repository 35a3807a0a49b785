import { flag, LOCK_TIMEOUT } from '../cli/flags.ts';
import type { Verb } from './verb.ts';
import { VERBS } from './verbs.ts';

/** `campaign state …` */
export const STATE_VERBS: readonly Verb[] = [
  {
    usage: 'list [manifest]',
    does: 'every node that the state knows',
    examples: ['campaign state list campaign.yaml --json'],
    load: async () => (await import('./state.ts')).stateList,
  },
  {
    usage: 'show <manifest-or-address> [address]',
    does: 'all that the state knows of one node',
    examples: ['campaign state show campaign.yaml product/tote'],
    load: async () => (await import('./state.ts')).stateShow,
  },
  {
    usage: 'export [manifest]',
    does: 'the whole state as one JSON document',
    examples: ["campaign state export | jq '.objects[].result.id'"],
    load: async () => (await import('./state-export.ts')).stateExport,
  },
  {
    usage: 'check [manifest]',
    does: 'check every line of the state; ends with 76 at the first damaged one',
    examples: ['campaign state check', 'campaign state check campaign.yaml --json'],
    load: async () => (await import('./state-check.ts')).stateCheck,
  },
  {
    usage: 'files [manifest...]',
    does: 'the files that a run keeps in git, for scripts; it takes all flags of apply',
    flags: [
      flag('--format <format>', 'text: one path a line, also if --json is given').choices(['text', 'json']),
      flag('--refuse <why>', 'end with 1 for this reason, with the --heartbeat and the --notify of an apply'),
    ],
    taken: VERBS.find(({ usage }) => usage.startsWith('apply '))?.flags ?? [],
    examples: ['campaign state files', 'campaign state files campaigns/ --env production'],
    load: async () => (await import('./state-files.ts')).stateFiles,
  },
  {
    usage: 'accept [manifest] [glob...]',
    does: 'keep what exists although its inputs changed; sends nothing',
    flags: [LOCK_TIMEOUT],
    examples: ['campaign state accept campaign.yaml', "campaign state accept campaign.yaml 'media/hero/*'"],
    load: async () => (await import('./state-accept.ts')).stateAccept,
  },
  {
    usage: 'rm <manifest-or-glob> [glob...]',
    does: 'forget nodes: they stay at the service, and the next apply makes them again',
    flags: [LOCK_TIMEOUT, flag('-y, --yes', 'forget without being asked')],
    examples: ['campaign state rm product/tote', "campaign state rm campaign.yaml 'media/hero/*' --yes"],
    load: async () => (await import('./state-rm.ts')).stateRm,
  },
  {
    usage: 'new [manifest]',
    does: 'start with an empty state, where the old one is gone',
    flags: [LOCK_TIMEOUT, flag('-y, --yes', 'start anew without being asked')],
    examples: ['campaign state new campaign.yaml'],
    load: async () => (await import('./state-new.ts')).stateNew,
  },
  {
    usage: 'use <manifest-or-file> [file-or-url]',
    does: 'take a state that lies elsewhere, or say that this one is the right one for this campaign',
    flags: [LOCK_TIMEOUT, flag('-y, --yes', 'use it without being asked')],
    examples: [
      'campaign state use spring.yaml winter.production.state.jsonl --env production',
      'campaign state use spring.yaml postgres://anna@localhost/campaigns',
    ],
    load: async () => (await import('./state-use.ts')).stateUse,
  },
  {
    usage: 'move [manifest]',
    does: 'move the state from its file into a database, or back; the side left behind is closed',
    flags: [flag('--to <file-or-url>', 'a path, or the postgres:// URL of a database'), LOCK_TIMEOUT],
    examples: [
      'campaign state move --env production --to postgres://anna@localhost/campaigns',
      'campaign state move --state postgres://anna@localhost/campaigns --to spring-launch.production.state.jsonl',
    ],
    load: async () => (await import('./state-move.ts')).stateMove,
  },
];
