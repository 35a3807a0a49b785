import type { DoctorOptions } from './doctor.ts';
import type { ServeOptions } from './emulator.ts';
import type { PlanCommandOptions } from './plan.ts';
import type { ResolveOptions } from './resolve.ts';
import { duration, failOn, flag, LOCK_TIMEOUT, PLANNED, port, positive, SHARED } from '../cli/flags.ts';
import type { ApplyOptions, SharedOptions } from '../cli/options.ts';
import { type Verb, verb } from './verb.ts';

const TRACE = flag('--trace <file>', 'write every request and answer to a HAR file, without secrets');

/** In the order of help. */
export const VERBS: readonly Verb[] = [
  verb<SharedOptions>({
    usage: 'validate [manifest...]',
    does: 'check everything that can be known without a request',
    flags: SHARED,
    examples: ['campaign validate campaign.yaml', 'campaign validate campaigns/ --json'],
    run: async (session) => (await import('./validate.ts')).validate(session),
  }),
  verb<PlanCommandOptions>({
    usage: 'plan [manifest...]',
    does: 'show what apply would do; sends no request',
    flags: [
      ...SHARED,
      ...PLANNED,
      flag('-y, --yes', 'plan although most product folders are gone'),
      flag('--detailed-exitcode', 'end with 2 when something would be sent'),
      flag('--out <file>', 'save the plan for `apply --plan`'),
      flag('--explain <address>', 'why this node is, or is not, in the plan'),
      flag('--format <format>', 'markdown: for a pull request').choices(['text', 'json', 'markdown']),
    ],
    examples: ['campaign plan --env production', 'campaign plan --env production --json | jq .summary'],
    run: async (session) => (await import('./plan.ts')).plan(session),
  }),
  verb<ApplyOptions>({
    usage: 'apply [manifest...]',
    does: 'do what plan shows: upload, create, request, wait, download',
    flags: [
      ...SHARED,
      ...PLANNED,
      flag('--plan <file>', 'apply exactly this saved plan'),
      flag('-y, --yes', 'ask nothing: request new posts, and finished ones again where their inputs changed'),
      flag('--no-wait', 'request, but neither poll nor download (exit 3; run again to go on)'),
      flag('--deadline <duration>', 'stop after this time, e.g. 10m (exit 3)', duration),
      flag('--fail-fast', 'start nothing new after the first failure'),
      flag('--concurrency <n>', 'requests in flight', positive),
      flag('--profile <name|file>', 'how the embedded emulator behaves, e.g. flaky (with --env emulator)'),
      TRACE,
      LOCK_TIMEOUT,
    ],
    examples: [
      'campaign apply --env emulator',
      'campaign apply campaign.yaml --env production --quiet',
      'campaign apply --json | tail -n 1',
    ],
    run: async (session) => (await import('./apply.ts')).apply(session),
  }),
  verb<SharedOptions>({
    usage: 'status [manifest...]',
    does: 'how many posts are done, and what is open; sends no request',
    flags: [
      ...SHARED,
      flag('--fail-on <what>', 'end with 1 if there is any: missing, failed, pending', failOn),
    ],
    examples: ['campaign status', 'campaign status --fail-on missing,failed'],
    run: async (session) => (await import('./status.ts')).status(session),
  }),
  verb<DoctorOptions>({
    usage: 'doctor [manifest]',
    does: 'look at all that a run needs, and at how the service answers; sends only what is free',
    flags: [
      ...SHARED,
      flag('--profile <name|file>', 'how the embedded emulator behaves (with --env emulator)'),
      TRACE,
    ],
    examples: ['campaign doctor --env production', 'campaign doctor --env emulator --quiet'],
    run: async (session) => (await import('./doctor.ts')).doctor(session),
  }),
  verb<SharedOptions>({
    usage: 'outputs [manifest...]',
    does: 'every finished file and what made it',
    flags: SHARED,
    examples: ['campaign outputs', "campaign outputs --json | jq -r '.[].path'"],
    run: async (session) => (await import('./outputs.ts')).outputs(session),
  }),
  verb<ResolveOptions>({
    usage: 'resolve [manifest-or-address] [address]',
    does: 'say what became of an unknown create, or give up a post; asks on a terminal',
    flags: [
      ...SHARED,
      flag('--id <uuid>', 'it exists under this id; the service is asked where it can tell').conflicts([
        'notCreated',
        'skip',
      ]),
      flag('--not-created', 'it was not made: the next apply requests it').conflicts(['skip']),
      flag(
        '--skip',
        'give it up: an unknown create, a post that failed or never ends, a file that cannot be had',
      ),
      flag('--no-verify', 'record the id of a product without asking the service for it'),
      LOCK_TIMEOUT,
    ],
    examples: [
      'campaign resolve campaign.yaml',
      'campaign resolve campaign.yaml product/tote --not-created',
      'campaign resolve media-config/hero@1 --id 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f',
      'campaign resolve media/hero/kitchen --skip',
    ],
    run: async (session) => (await import('./resolve.ts')).resolve(session),
  }),
  verb<SharedOptions>({
    usage: 'history [manifest]',
    does: 'every run that changed the state: when, who, what, how it ended',
    flags: SHARED,
    examples: ['campaign history', "campaign history --json | jq '.[-1]'"],
    run: async (session) => (await import('./history.ts')).history(session),
  }),
];

/** Listed after `campaign state …` in help. */
export const LAST_VERBS: readonly Verb[] = [
  verb<SharedOptions & { format: 'mermaid' | 'dot' }>({
    usage: 'graph [manifest]',
    does: 'what depends on what, as Mermaid or DOT',
    flags: [
      ...SHARED,
      flag('--format <format>', 'its language').choices(['mermaid', 'dot']).default('mermaid'),
    ],
    examples: ['campaign graph campaign.yaml', 'campaign graph --format dot | dot -Tsvg > graph.svg'],
    run: async (session) => (await import('./graph.ts')).graph(session),
  }),
  verb<SharedOptions>({
    usage: 'schema',
    does: 'print the JSON Schema of the manifest',
    flags: [],
    examples: ['campaign schema > campaign.schema.json'],
    run: async (session) => (await import('./schema.ts')).schema(session),
  }),
  verb<ServeOptions>({
    usage: 'emulator',
    does: 'serve the embedded service on 127.0.0.1',
    flags: [
      flag('--port <n>', 'default: a free one', port).default(0),
      flag('--data <folder>', 'keep its records and files there (default: a temporary folder)'),
      flag('--profile <name|file>', 'how it behaves: a profile that comes with campaign, or a file'),
      flag('--seed <text>', 'makes what is drawn at random the same in every run'),
      flag('--control', 'take orders over HTTP at /_control/'),
      flag('--json', 'print its address as JSON'),
    ],
    examples: [
      'campaign emulator --port 4010 --data .campaign/emulator',
      'campaign emulator --profile flaky --seed monday --control',
    ],
    run: async (session) => (await import('./emulator.ts')).emulator(session),
  }),
];
