import { Command, Option } from 'commander';
import { kindOf } from '../model/address.ts';
import type { ExitCode } from '../model/exit.ts';
import { duration, examples, failOn, lockTimeout, planned, port, positive, shared } from './flags.ts';
import { version } from './package-info.ts';
import type { ApplyOptions, SharedOptions } from './options.ts';
import type { PlanCommandOptions } from './plan.ts';
import type { Decision } from './resolve.ts';

/** All commands with their flags; each action's code is loaded only when it runs. `end` gets the exit code. */
export function createProgram(end: (code: ExitCode) => void): Command {
  const program = new Command('campaign')
    .description(
      'Turns a YAML campaign kept in git into finished visuals; never pays for the same post twice.',
    )
    .version(version, '--version')
    .showHelpAfterError('(campaign --help lists all commands and flags)')
    .addHelpText(
      'after',
      examples('campaign apply campaign.yaml --env emulator', 'campaign plan campaign.yaml --env production'),
    );

  shared(program.command('validate [manifest...]'))
    .description('check everything that can be known without a request')
    .addHelpText('after', examples('campaign validate campaign.yaml', 'campaign validate campaigns/ --json'))
    .action(async (files: string[], options: SharedOptions) => {
      const { validate } = await import('./validate.ts');
      end(await validate(files, options));
    });

  planned(shared(program.command('plan [manifest...]')))
    .description('show what apply would do; sends no request')
    .option('-y, --yes', 'plan although most product folders are gone')
    .option('--detailed-exitcode', 'end with 2 when something would be sent')
    .option('--out <file>', 'save the plan for `apply --plan`')
    .option('--explain <address>', 'why this node is, or is not, in the plan')
    .addOption(new Option('--format <format>').choices(['text', 'json', 'markdown']))
    .addHelpText(
      'after',
      examples('campaign plan --env production', 'campaign plan --env production --json | jq .summary'),
    )
    .action(async (files: string[], options: PlanCommandOptions) => {
      const { plan } = await import('./plan.ts');
      end(await plan(files, options));
    });

  planned(shared(program.command('apply [manifest...]')))
    .description('make it so: upload, create, request, wait, download')
    .option('--plan <file>', 'apply exactly this saved plan')
    .option('-y, --yes', 'request finished posts again where their inputs changed')
    .option('--no-wait', 'request, but neither poll nor download (exit 3; run again to go on)')
    .option('--deadline <duration>', 'stop after this time, e.g. 10m (exit 3)', duration)
    .option('--fail-fast', 'start nothing new after the first failure')
    .option('--concurrency <n>', 'requests in flight', positive)
    .addOption(lockTimeout())
    .addHelpText(
      'after',
      examples(
        'campaign apply --env emulator',
        'campaign apply campaign.yaml --env production --quiet',
        'campaign apply --json | tail -n 1',
      ),
    )
    .action(async (files: string[], options: ApplyOptions) => {
      const { apply } = await import('./apply.ts');
      end(await apply(files, options));
    });

  shared(program.command('status [manifest...]'))
    .description('coverage and what is open; reads the state only')
    .addOption(
      new Option('--fail-on <what>', 'end with 1 if there is any: missing, failed, pending').argParser(
        failOn,
      ),
    )
    .addHelpText('after', examples('campaign status', 'campaign status --fail-on missing,failed'))
    .action(async (files: string[], options: SharedOptions) => {
      const { status } = await import('./status.ts');
      end(await status(files, options));
    });

  shared(program.command('outputs [manifest...]'))
    .description('every finished file and what made it')
    .addHelpText('after', examples('campaign outputs', "campaign outputs --json | jq -r '.[].path'"))
    .action(async (files: string[], options: SharedOptions) => {
      const { outputs } = await import('./outputs.ts');
      end(await outputs(files, options));
    });

  shared(program.command('resolve <manifest-or-address> [address]'))
    .description('decide an unknown or failed node')
    .addOption(new Option('--id <uuid>', 'it exists under this id').conflicts(['notCreated', 'skip']))
    .addOption(new Option('--not-created', 'it was not made: request it again').conflicts(['skip']))
    .option('--skip', 'give it up')
    .addOption(lockTimeout())
    .addHelpText(
      'after',
      examples(
        'campaign resolve campaign.yaml product/tote --not-created',
        'campaign resolve media-config/hero@1 --id 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f',
      ),
    )
    .action(async (first: string, second: string | undefined, options: ResolveFlags, command: Command) => {
      const decision = decisionOf(options);
      if (!decision) command.error('error: say what became of it: --id UUID, --not-created or --skip');
      else {
        const { resolve } = await import('./resolve.ts');
        const [file, address] = second === undefined ? [DEFAULT, first] : [first, second];
        end(await resolve({ file, address, decision }, options));
      }
    });

  const state = program.command('state').description('look into the state');
  shared(state.command('list [manifest]'))
    .description('every node that the state knows')
    .addHelpText('after', examples('campaign state list campaign.yaml --json'))
    .action(async (file: string | undefined, options: SharedOptions) => {
      const { stateList } = await import('./state.ts');
      end(await stateList(file ?? DEFAULT, options));
    });
  shared(state.command('show <manifest-or-address> [address]'))
    .description('all that the state knows of one node')
    .addHelpText('after', examples('campaign state show campaign.yaml product/tote'))
    .action(async (first: string, second: string | undefined, options: SharedOptions) => {
      const { stateShow } = await import('./state.ts');
      const [file, address] = second === undefined ? [DEFAULT, first] : [first, second];
      end(await stateShow(file, address, options));
    });

  shared(state.command('accept [manifest] [glob...]'))
    .description('take the present inputs as what exists; sends nothing')
    .addOption(lockTimeout())
    .addHelpText(
      'after',
      examples('campaign state accept campaign.yaml', "campaign state accept campaign.yaml 'media/hero/*'"),
    )
    .action(
      async (file: string | undefined, globs: string[], options: SharedOptions & { lockTimeout: number }) => {
        const { stateAccept } = await import('./state-accept.ts');
        const isGlob = file !== undefined && kindOf(file) !== undefined;
        const target = isGlob ? { file: DEFAULT, globs: [file, ...globs] } : { file: file ?? DEFAULT, globs };
        end(await stateAccept(target, options));
      },
    );

  shared(program.command('graph [manifest]'))
    .description('what depends on what, as Mermaid or DOT')
    .addOption(new Option('--format <format>').choices(['mermaid', 'dot']).default('mermaid'))
    .addHelpText(
      'after',
      examples('campaign graph campaign.yaml', 'campaign graph --format dot | dot -Tsvg > graph.svg'),
    )
    .action(async (file: string | undefined, options: SharedOptions & { format: 'mermaid' | 'dot' }) => {
      const { graph } = await import('./graph.ts');
      end(await graph(file ?? DEFAULT, options));
    });

  program
    .command('schema')
    .description('print the JSON Schema of the manifest')
    .addHelpText('after', examples('campaign schema > campaign.schema.json'))
    .action(async () => {
      const { schema } = await import('./schema.ts');
      end(await schema());
    });

  program
    .command('emulator')
    .description('serve the embedded service on 127.0.0.1')
    .option('--port <n>', 'default: a free one', port, 0)
    .option('--data <folder>', 'keep its records and files there (default: a temporary folder)')
    .option('--json', 'print its address as JSON')
    .addHelpText(
      'after',
      examples('campaign emulator --port 4010', 'campaign emulator --port 4010 --data .campaign/emulator'),
    )
    .action(async (options: { port: number; data?: string; json?: true }) => {
      const { emulator } = await import('./emulator.ts');
      end(await emulator(options));
    });

  return program;
}

const DEFAULT = 'campaign.yaml';

interface ResolveFlags extends SharedOptions {
  readonly id?: string;
  readonly notCreated?: true;
  readonly skip?: true;
  readonly lockTimeout: number;
}

function decisionOf({ id, notCreated, skip }: ResolveFlags): Decision | undefined {
  if (id !== undefined) return { type: 'created', id };
  if (notCreated) return { type: 'not-created' };
  return skip ? { type: 'skipped' } : undefined;
}
