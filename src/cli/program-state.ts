import type { Command } from 'commander';
import type { ExitCode } from '../model/exit.ts';
import type { ChangeOptions } from '../app/change-state.ts';
import { examples, lockTimeout, shared } from './flags.ts';
import type { SharedOptions } from './options.ts';
import type { CheckOptions } from '../commands/state-check.ts';
import { DEFAULT, targetOf } from './target.ts';

/** `campaign state …`: looks into the state, and repairs what it says. */
export function addStateCommands(program: Command, end: (code: ExitCode) => void): void {
  const state = program
    .command('state')
    .description('look into the state, and repair what it says')
    .addHelpText(
      'after',
      examples(
        'campaign state list',
        'campaign state show media/hero/kitchen',
        'campaign state check --reseal',
      ),
    );

  shared(state.command('list [manifest]'))
    .description('every node that the state knows')
    .addHelpText('after', examples('campaign state list campaign.yaml --json'))
    .action(async (file: string | undefined, options: SharedOptions) => {
      const { stateList } = await import('../commands/state.ts');
      end(await stateList(file ?? DEFAULT, options));
    });

  shared(state.command('show <manifest-or-address> [address]'))
    .description('all that the state knows of one node')
    .addHelpText('after', examples('campaign state show campaign.yaml product/tote'))
    .action(async (first: string, second: string | undefined, options: SharedOptions) => {
      const { stateShow } = await import('../commands/state.ts');
      const [file, address] = second === undefined ? [DEFAULT, first] : [first, second];
      end(await stateShow(file, address, options));
    });

  shared(state.command('export [manifest]'))
    .description('the whole state as one JSON document')
    .addHelpText('after', examples("campaign state export | jq '.objects[].result.id'"))
    .action(async (file: string | undefined, options: SharedOptions) => {
      const { stateExport } = await import('../commands/state-export.ts');
      end(await stateExport(file ?? DEFAULT, options));
    });

  changing(state.command('check [manifest]'))
    .description('read every line of the state; 76 names the first one that does not hold')
    .option('--reseal', 'after an edit by hand: show what it comes to and make the chain of checksums anew')
    .option('-y, --yes', 'reseal without being asked')
    .addHelpText('after', examples('campaign state check', 'campaign state check campaign.yaml --reseal'))
    .action(async (file: string | undefined, options: CheckOptions) => {
      const { stateCheck } = await import('../commands/state-check.ts');
      end(await stateCheck(file ?? DEFAULT, options));
    });

  changing(state.command('accept [manifest] [glob...]'))
    .description('take the present inputs as what exists; sends nothing')
    .addHelpText(
      'after',
      examples('campaign state accept campaign.yaml', "campaign state accept campaign.yaml 'media/hero/*'"),
    )
    .action(async (first: string | undefined, others: string[], options: ChangeOptions) => {
      const { stateAccept } = await import('../commands/state-accept.ts');
      const { file, rest } = targetOf([first, ...others]);
      end(await stateAccept({ file, globs: rest }, options));
    });

  changing(state.command('rm <manifest-or-glob> [glob...]'))
    .description('forget nodes: they stay at the service, and the next apply makes them again')
    .option('-y, --yes', 'forget without being asked')
    .addHelpText(
      'after',
      examples('campaign state rm product/tote', "campaign state rm campaign.yaml 'media/hero/*' --yes"),
    )
    .action(async (first: string, others: string[], options: ChangeOptions, command: Command) => {
      const { file, rest } = targetOf([first, ...others]);
      if (!rest.length) return command.error('error: name the nodes to forget, e.g. product/tote');
      const { stateRm } = await import('../commands/state-rm.ts');
      end(await stateRm({ file, globs: rest }, options));
    });

  changing(state.command('new [manifest]'))
    .description('start anew where the state is gone')
    .option('-y, --yes', 'start anew without being asked')
    .addHelpText('after', examples('campaign state new campaign.yaml'))
    .action(async (file: string | undefined, options: ChangeOptions) => {
      const { stateNew } = await import('../commands/state-new.ts');
      end(await stateNew(file ?? DEFAULT, options));
    });

  changing(state.command('adopt <manifest-or-file> [file]'))
    .description('a state that has another name is the one of this manifest and environment from now on')
    .option('-y, --yes', 'adopt without being asked')
    .addHelpText(
      'after',
      examples('campaign state adopt spring.yaml m.production.state.jsonl --env production'),
    )
    .action(async (first: string, second: string | undefined, options: ChangeOptions) => {
      const { stateAdopt } = await import('../commands/state-adopt.ts');
      const [file, from] = second === undefined ? [DEFAULT, first] : [first, second];
      end(await stateAdopt({ file, from }, options));
    });

  changing(state.command('rebind [manifest]'))
    .description('this file is the state of this campaign, environment and base URL from now on')
    .option('-y, --yes', 'rebind without being asked')
    .addHelpText('after', examples('campaign state rebind campaign.yaml --env stage'))
    .action(async (file: string | undefined, options: ChangeOptions) => {
      const { stateRebind } = await import('../commands/state-rebind.ts');
      end(await stateRebind(file ?? DEFAULT, options));
    });
}

function changing(command: Command): Command {
  return shared(command).addOption(lockTimeout());
}
