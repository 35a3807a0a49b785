import type { Accounts } from '../app/account.ts';
import { type CampaignStatus, statusOf } from '../app/campaign-status.ts';
import { eachManifest, type TurnEnd } from '../cli/each-manifest.ts';
import type { SharedOptions } from '../cli/options.ts';
import { namesOf } from '../cli/output.ts';
import { accountsOf, type CommandEnd, loadFor, manifestsOf, type Session } from '../cli/session.ts';
import { showStatus } from '../cli/show-status.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';

type FailOn = 'missing' | 'failed' | 'pending' | 'undecided';

interface StatusOptions extends SharedOptions {
  readonly failOn?: readonly FailOn[];
  readonly all?: true;
  readonly watch?: true;
}

export async function status(session: Session<StatusOptions>): CommandEnd {
  const files = await manifestsOf(session);
  if (!files.ok) return files.error;
  if (session.options.watch) {
    const { watchStatus } = await import('../cli/watch-status.ts');
    return watchStatus(files.value, session);
  }
  const accounts = accountsOf(session, files.value);
  const take = (file: string, named: Session<StatusOptions>) => statusOne(file, named, accounts);
  return (await eachManifest(files.value, session, { take })).exit_code;
}

async function statusOne(
  file: string,
  session: Session<StatusOptions>,
  accounts: Accounts,
): Promise<Refusal | TurnEnd> {
  const { options, output, runtime } = session;
  const loaded = await loadFor(session, file);
  if (!loaded.ok) return loaded.error;
  const nodes = options.all ? 'all' : 'none';
  const found = await statusOf(runtime, loaded.value, { accounts, nodes });
  if (!found.ok) return found.error;
  const names = namesOf(loaded.value.manifest);
  showStatus(found.value, output.about(names), options);
  return { ...names, exit: exitOf(found.value, options.failOn) };
}

function exitOf({ coverage, settled }: CampaignStatus, failOn: readonly FailOn[] = []): ExitCode {
  const paidBefore = settled.reduce((sum, { pending }) => sum + pending, 0);
  const counts = { ...coverage, pending: coverage.pending + paidBefore };
  return failOn.some((what) => counts[what] > 0) ? EXIT.failed : EXIT.ok;
}
