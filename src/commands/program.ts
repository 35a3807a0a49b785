import { Command, Option } from 'commander';
import { version } from '../app/package-info.ts';
import type { ExitCode } from '../model/exit.ts';
import { SHARED } from '../cli/flags.ts';
import { exitCodesHelp } from '../cli/exit-codes.ts';
import { betterHint, examples, ownFirst, pointToHelp } from '../cli/usage-help.ts';
import { DB_VERBS, WORKER_VERBS } from './db-verbs.ts';
import { LAST_VERBS } from './last-verbs.ts';
import { STATE_VERBS } from './state-verbs.ts';
import type { Verb } from './verb.ts';
import { VERBS } from './verbs.ts';

/** The code of a command is loaded only when it runs. `end` gets the exit code. */
export function createProgram(end: (code: ExitCode) => void): Command {
  const program = new Command('campaign')
    .description(
      'Turns a YAML campaign kept in git into finished visuals; never pays for the same post twice.',
    )
    .version(version, '--version')
    .showHelpAfterError('(campaign --help lists all commands)')
    .configureHelp({ groupItems: ownFirst })
    .configureOutput({ outputError: (text, write) => write(betterHint(text)) })
    .exitOverride()
    .addHelpText('after', exitCodesHelp())
    .addHelpText(
      'after',
      examples('campaign apply campaign.yaml --env emulator', 'campaign plan campaign.yaml --env production'),
    );
  addVerbs(program, VERBS, end);
  const state = program
    .command('state')
    .description('look into the state, and repair what it says')
    .addHelpText(
      'after',
      examples('campaign state list', 'campaign state show media/hero/kitchen', 'campaign state check'),
    );
  addVerbs(state, STATE_VERBS, end);
  const db = program
    .command('db')
    .description('look after a database that holds states')
    .addHelpText('after', examples('campaign db migrate --state postgres://owner@localhost/campaigns'));
  addVerbs(db, DB_VERBS, end);
  addVerbs(program, WORKER_VERBS, end);
  addVerbs(program, LAST_VERBS, end);
  for (const command of program.commands) pointToHelp(command, 'campaign');
  return program;
}

function addVerbs(parent: Command, verbs: readonly Verb[], end: (code: ExitCode) => void): void {
  for (const verb of verbs) {
    const { usage, does, choices, readsManifest, flags = [], taken = [], examples: lines, load } = verb;
    const command = parent
      .command(usage)
      .description(does)
      .addHelpText('after', examples(...lines));
    if (choices) command.registeredArguments[0]?.choices(choices);
    const isOwn = ({ long }: Option) => flags.some((own) => own.long === long);
    const shared = readsManifest === 'no' ? [] : SHARED.filter((option) => !isOwn(option));
    for (const flag of [...shared, ...flags, ...taken.map(unlisted)]) command.addOption(flag);
    command.action(async () => {
      const misuse: Command['error'] = (text) => command.error(text);
      const { runVerb } = await import('../cli/session.ts');
      end(await runVerb(await load(), { args: command.args, options: command.opts(), misuse }));
    });
  }
}

/** The same flag, which no help names. */
function unlisted(flag: Option): Option {
  return Object.assign(Object.create(Option.prototype) as Option, flag, { hidden: true });
}
