import {
  AT,
  collect,
  duration,
  failOn,
  flag,
  LOCK_TIMEOUT,
  NOTICES,
  PLANNED,
  positive,
  SELECTED,
} from '../cli/flags.ts';
import { ADOPTION_VERBS } from './adoption-verbs.ts';
import type { Verb } from './verb.ts';

const NOTE = flag('--note <text>', 'why, for whoever reads the plan');

const PROFILE = flag(
  '--profile <name|file>',
  'how the embedded emulator behaves, e.g. flaky (with --env emulator)',
);

const TRACE = flag('--trace <file>', 'write every request and answer to a HAR file, without secrets');

/** In the order of help. */
export const VERBS: readonly Verb[] = [
  {
    usage: 'init [folder]',
    does: 'write a first manifest for a folder of photos, or a table of products; overwrites nothing',
    readsManifest: 'no',
    flags: [
      flag('--out <file>', 'the manifest to write (default: campaign.yaml)'),
      flag('--name <key>', "the campaign's name (default: that of the folder)"),
      flag('--look <text>', 'what the pictures have in common: light, mood, materials'),
      flag('--ratio <n:m>', 'a format, for which each product gets a post; can be repeated', collect),
      flag('-y, --yes', 'ask nothing, also on a terminal'),
      flag('--json', 'print what was written as JSON'),
      flag('--no-color', 'plain text (NO_COLOR)'),
      flag('--quiet', 'say nothing when all went well'),
    ],
    examples: ['campaign init photos', 'campaign init photos --ratio 4:5 --ratio 9:16'],
    load: async () => (await import('./init.ts')).init,
  },
  {
    usage: 'validate [manifest...]',
    does: 'check everything that can be known without a request',
    flags: [flag('--lint', 'warn of slips, too: small photos, the same photo twice, what nothing uses')],
    examples: ['campaign validate --lint', 'campaign validate campaigns/ --json'],
    load: async () => (await import('./validate.ts')).validate,
  },
  {
    usage: 'plan [manifest...]',
    does: 'show what apply would do; sends no request',
    flags: [
      ...PLANNED,
      AT,
      flag('-y, --yes', 'plan even if most product folders are gone'),
      flag('--detailed-exitcode', 'end with 2 when something would be sent'),
      flag('--out <file>', 'save the plan for `apply --plan`'),
      flag('--explain <address>', 'why this node is, or is not, in the plan'),
      flag('--format <format>', 'markdown: for a pull request').choices(['text', 'json', 'markdown']),
    ],
    examples: ['campaign plan --env production', 'campaign plan --env production --json | jq .summary'],
    load: async () => (await import('./plan.ts')).plan,
  },
  {
    usage: 'apply [manifest...]',
    does: 'do what plan shows: upload, create, request, wait, download',
    flags: [
      ...PLANNED,
      AT,
      flag('--plan <file>', 'apply exactly this saved plan'),
      flag('-y, --yes', 'ask nothing: request new posts, and finished ones again where their inputs changed'),
      flag('--no-wait', 'request, but neither poll nor download (exit 3; run again to go on)'),
      flag('--deadline <duration>', 'stop after this time, e.g. 10m (exit 3)', duration),
      flag('--fail-fast', 'start nothing new after the first failure'),
      flag('--concurrency <n>', 'how many requests at once', positive),
      PROFILE,
      ...NOTICES,
      TRACE,
      LOCK_TIMEOUT,
    ],
    examples: [
      'campaign apply --env emulator',
      'campaign apply campaign.yaml --env production --quiet',
      'campaign apply --json | tail -n 1',
    ],
    load: async () => (await import('./apply.ts')).apply,
  },
  {
    usage: 'wait [manifest...]',
    does: 'only poll and download what was requested before; needs neither photos nor product folders',
    flags: [
      ...SELECTED,
      AT,
      flag('--deadline <duration>', 'stop after this time, e.g. 10m (exit 3)', duration),
      flag('--concurrency <n>', 'how many requests at once', positive),
      PROFILE,
      ...NOTICES,
      TRACE,
      LOCK_TIMEOUT,
    ],
    examples: ['campaign apply --no-wait; campaign wait', 'campaign wait --deadline 10m --quiet'],
    load: async () => (await import('./wait.ts')).wait,
  },
  {
    usage: 'status [manifest...]',
    does: 'how many posts are done, and what is open; sends no request',
    flags: [
      AT,
      flag('--all', 'every upload, product, concept and post, and every message whole'),
      flag(
        '--watch',
        'show it again whenever it changes, until Ctrl-C; with --json a line for each change',
      ).conflicts(['all', 'failOn', 'quiet']),
      flag('--fail-on <what>', 'end with 1 if there is any: missing, failed, pending, undecided', failOn),
    ],
    examples: ['campaign status', 'campaign status --watch', 'campaign status --fail-on missing,failed'],
    load: async () => (await import('./status.ts')).status,
  },
  {
    usage: 'doctor [manifest]',
    does: 'check all that a run needs, and how the service answers; sends only free requests',
    flags: [flag('--profile <name|file>', 'how the embedded emulator behaves (with --env emulator)'), TRACE],
    examples: ['campaign doctor --env production', 'campaign doctor --env emulator --quiet'],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    usage: 'outputs [manifest...]',
    does: 'list every finished file, compare them with what was recorded, or fetch them again',
    flags: [
      flag('--verify', 'end with 1 where a file is missing, or differs from its SHA-256').conflicts('fetch'),
      flag('--fetch', 'fetch files that are missing or differ again; pays nothing, changes no state'),
      ...SELECTED,
      flag('--format <format>', 'csv: with everything that --json has').choices(['text', 'json', 'csv']),
      flag('--absolute', 'print absolute paths'),
      PROFILE,
      TRACE,
      LOCK_TIMEOUT,
    ],
    examples: [
      'campaign outputs',
      'campaign outputs --verify',
      "campaign outputs --fetch --only 'media/hero/*'",
      'campaign outputs --format csv --absolute > files.csv',
    ],
    load: async () => (await import('./outputs.ts')).outputs,
  },
  {
    usage: 'approve <manifest-or-glob> [glob...]',
    does: 'keep finished posts through every edit; writes the file of decisions',
    flags: [NOTE],
    examples: [
      "campaign approve 'media/hero/*'",
      'campaign approve campaign.yaml media/hero/kitchen --note final',
    ],
    load: async () => (await import('./approve.ts')).approve,
  },
  {
    usage: 'reject <manifest-or-glob> [glob...]',
    does: 'let the next apply request finished posts again; writes the file of decisions',
    flags: [NOTE, flag('-y, --yes', 'reject more than ten posts without being asked')],
    examples: ["campaign reject media/hero/kitchen --note 'handle is cut off'"],
    load: async () => (await import('./reject.ts')).reject,
  },
  {
    usage: 'decide [manifest]',
    does: 'walk through the finished posts that nobody has decided about; asks on a terminal',
    examples: ['campaign decide campaign.yaml'],
    load: async () => (await import('./decide.ts')).decide,
  },
  {
    usage: 'resolve [manifest-or-address] [address]',
    does: 'say what became of unknown creates, or give up posts; asks on a terminal',
    flags: [
      flag(
        '--id <uuid>',
        'it exists under this id; the service is asked where it can tell. Several, with --all or a glob, find their nodes',
        collect,
      ).conflicts(['notCreated', 'skip']),
      flag('--find', 'find out which of them exist, as far as the service can tell').conflicts([
        'notCreated',
        'skip',
      ]),
      flag('--not-created', 'it was not made: the next apply requests it').conflicts(['skip']),
      flag(
        '--skip',
        'give it up: an unknown create, a post that failed or never ends, a file that cannot be had',
      ),
      flag('--all', 'decide about everything that is unknown; with --skip also about what failed'),
      flag('-y, --yes', 'decide about several without being asked'),
      flag('--no-verify', 'record the id of a product without asking the service for it'),
      LOCK_TIMEOUT,
    ],
    examples: [
      'campaign resolve campaign.yaml',
      'campaign resolve --all --find',
      "campaign resolve 'media-config/grid/*' --not-created",
      'campaign resolve campaign.yaml product/tote --not-created',
      'campaign resolve media-config/hero@1 --id 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f',
      'campaign resolve media/hero/kitchen --skip',
    ],
    load: async () => (await import('./resolve.ts')).resolve,
  },
  {
    usage: 'destroy [manifest]',
    does: 'delete at the service everything that this campaign has made in an environment',
    flags: [
      flag('--files', 'remove downloaded files, too, if they are still what was downloaded'),
      flag('-y, --yes', 'delete without being asked; needs --env where the manifest names environments'),
      flag('--concurrency <n>', 'how many requests at once', positive),
      flag('--profile <name|file>', 'how the embedded emulator behaves (with --env emulator)'),
      TRACE,
      LOCK_TIMEOUT,
    ],
    examples: ['campaign destroy --env stage', 'campaign destroy campaign.yaml --env emulator --files --yes'],
    load: async () => (await import('./destroy.ts')).destroy,
  },
  ...ADOPTION_VERBS,
  {
    usage: 'history [manifest]',
    does: 'every run that changed the state: when, who, what, how it ended',
    flags: [flag('-n, --last <n>', 'only the last runs, as many as this', positive)],
    examples: [
      'campaign history',
      'campaign history -n 5',
      "campaign history -n 1 --json | jq '.[0].outcome'",
    ],
    load: async () => (await import('./history.ts')).history,
  },
];
