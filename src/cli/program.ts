import { Command, Option } from 'commander';
import type { ExitCode } from '../model/exit.ts';
import { betterHint, ownFirst, pointToHelp } from './usage-help.ts';
import { duration, examples, failOn, lockTimeout, planned, port, positive, shared } from './flags.ts';
import { version } from '../app/package-info.ts';
import type { DoctorOptions } from '../commands/doctor.ts';
import type { EmulatorOptions } from '../commands/emulator.ts';
import type { ApplyOptions, SharedOptions } from './options.ts';
import type { PlanCommandOptions } from '../commands/plan.ts';
import { addStateCommands } from './program-state.ts';
import type { ResolveOptions } from '../commands/resolve.ts';
import { DEFAULT, targetOf } from './target.ts';

/** All commands with their flags; each action's code is loaded only when it runs. `end` gets the exit code. */
export function createProgram(end: (code: ExitCode) => void): Command {
  const program = new Command('campaign')
    .description(
      'Turns a YAML campaign kept in git into finished visuals; never pays for the same post twice.',
    )
    .version(version, '--version')
    .showHelpAfterError('(campaign --help lists all commands)')
    .configureHelp({ groupItems: ownFirst })
    .configureOutput({ outputError: (text, write) => write(betterHint(text)) })
    .addHelpText(
      'after',
      examples('campaign apply campaign.yaml --env emulator', 'campaign plan campaign.yaml --env production'),
    );

  shared(program.command('validate [manifest...]'))
    .description('check everything that can be known without a request')
    .addHelpText('after', examples('campaign validate campaign.yaml', 'campaign validate campaigns/ --json'))
    .action(async (files: string[], options: SharedOptions) => {
      const { validate } = await import('../commands/validate.ts');
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
      const { plan } = await import('../commands/plan.ts');
      end(await plan(files, options));
    });

  planned(shared(program.command('apply [manifest...]')))
    .description('make it so: upload, create, request, wait, download')
    .option('--plan <file>', 'apply exactly this saved plan')
    .option('-y, --yes', 'ask nothing: request new posts, and finished ones again where their inputs changed')
    .option('--no-wait', 'request, but neither poll nor download (exit 3; run again to go on)')
    .option('--deadline <duration>', 'stop after this time, e.g. 10m (exit 3)', duration)
    .option('--fail-fast', 'start nothing new after the first failure')
    .option('--concurrency <n>', 'requests in flight', positive)
    .option('--profile <name|file>', 'how the embedded emulator behaves, e.g. flaky (with --env emulator)')
    .option('--trace <file>', 'write every request and answer to a HAR file, without secrets')
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
      const { apply } = await import('../commands/apply.ts');
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
      const { status } = await import('../commands/status.ts');
      end(await status(files, options));
    });

  shared(program.command('doctor [manifest]'))
    .description('look at all that a run needs, and at how the service answers; sends only what is free')
    .option('--profile <name|file>', 'how the embedded emulator behaves (with --env emulator)')
    .option('--trace <file>', 'write every request and answer to a HAR file, without secrets')
    .addHelpText(
      'after',
      examples('campaign doctor --env production', 'campaign doctor --env emulator --quiet'),
    )
    .action(async (file: string | undefined, options: DoctorOptions) => {
      const { doctor } = await import('../commands/doctor.ts');
      end(await doctor(file ?? DEFAULT, options));
    });

  shared(program.command('outputs [manifest...]'))
    .description('every finished file and what made it')
    .addHelpText('after', examples('campaign outputs', "campaign outputs --json | jq -r '.[].path'"))
    .action(async (files: string[], options: SharedOptions) => {
      const { outputs } = await import('../commands/outputs.ts');
      end(await outputs(files, options));
    });

  shared(program.command('resolve [manifest-or-address] [address]'))
    .description('say what became of an unknown create, or give up a post; asks on a terminal')
    .addOption(
      new Option('--id <uuid>', 'it exists under this id; the service is asked where it can tell').conflicts([
        'notCreated',
        'skip',
      ]),
    )
    .addOption(new Option('--not-created', 'it was not made: the next apply requests it').conflicts(['skip']))
    .option(
      '--skip',
      'give it up: an unknown create, a post that failed or never ends, a file that cannot be had',
    )
    .option('--no-verify', 'record the id of a product without asking the service for it')
    .addOption(lockTimeout())
    .addHelpText(
      'after',
      examples(
        'campaign resolve campaign.yaml',
        'campaign resolve campaign.yaml product/tote --not-created',
        'campaign resolve media-config/hero@1 --id 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f',
        'campaign resolve media/hero/kitchen --skip',
      ),
    )
    .action(async (first: string | undefined, second: string | undefined, options: ResolveOptions) => {
      const { resolve } = await import('../commands/resolve.ts');
      const { file, rest } = targetOf([first, second]);
      end(await resolve({ file, address: rest[0] }, options));
    });

  shared(program.command('history [manifest]'))
    .description('every run that changed the state: when, who, what, how it ended')
    .addHelpText('after', examples('campaign history', "campaign history --json | jq '.[-1]'"))
    .action(async (file: string | undefined, options: SharedOptions) => {
      const { history } = await import('../commands/history.ts');
      end(await history(file ?? DEFAULT, options));
    });

  addStateCommands(program, end);

  shared(program.command('graph [manifest]'))
    .description('what depends on what, as Mermaid or DOT')
    .addOption(new Option('--format <format>').choices(['mermaid', 'dot']).default('mermaid'))
    .addHelpText(
      'after',
      examples('campaign graph campaign.yaml', 'campaign graph --format dot | dot -Tsvg > graph.svg'),
    )
    .action(async (file: string | undefined, options: SharedOptions & { format: 'mermaid' | 'dot' }) => {
      const { graph } = await import('../commands/graph.ts');
      end(await graph(file ?? DEFAULT, options));
    });

  program
    .command('schema')
    .description('print the JSON Schema of the manifest')
    .addHelpText('after', examples('campaign schema > campaign.schema.json'))
    .action(async () => {
      const { schema } = await import('../commands/schema.ts');
      end(await schema());
    });

  program
    .command('emulator')
    .description('serve the embedded service on 127.0.0.1')
    .option('--port <n>', 'default: a free one', port, 0)
    .option('--data <folder>', 'keep its records and files there (default: a temporary folder)')
    .option('--profile <name|file>', 'how it behaves: a profile that comes with campaign, or a file')
    .option('--seed <text>', 'makes what is drawn at random the same in every run')
    .option('--control', 'take orders over HTTP at /_control/')
    .option('--json', 'print its address as JSON')
    .addHelpText(
      'after',
      examples(
        'campaign emulator --port 4010 --data .campaign/emulator',
        'campaign emulator --profile flaky --seed monday --control',
      ),
    )
    .action(async (options: EmulatorOptions) => {
      const { emulator } = await import('../commands/emulator.ts');
      end(await emulator(options));
    });

  for (const command of program.commands) pointToHelp(command, 'campaign');
  return program;
}
