import { setFlagsFromString } from 'node:v8';
import { wishesOf } from '../app/plan-wishes.ts';
import type { AppEvent } from '../app/runtime.ts';
import { waitCampaign } from '../app/wait-campaign.ts';
import { createApplyConsole } from '../cli/apply-console.ts';
import { chosenBy } from '../cli/every-line.ts';
import { eachRun, type TurnEnd } from '../cli/each-manifest.ts';
import type { NoticeOptions, ServiceOptions, SharedOptions } from '../cli/options.ts';
import { noticed } from '../cli/noticed.ts';
import { namesOf, refuseRun, tell, versionEvent } from '../cli/output.ts';
import { createPostGlobs, type PostGlobs } from '../cli/post-globs.ts';
import { chooseRenderer } from '../cli/run-renderer.ts';
import { profileElsewhere, withService } from '../cli/service-flags.ts';
import { loadUnread, manifestsOf, readerOf, type Session } from '../cli/session.ts';
import { thumbnailsMeanwhile } from '../cli/thumbnails-meanwhile.ts';
import { createWholeApply, type WholeApply } from '../cli/whole-apply.ts';
import { type ExitCode, strongestExit } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';

interface WaitOptions extends SharedOptions, ServiceOptions, NoticeOptions {
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  readonly deadline?: number;
  readonly concurrency?: number;
  readonly lockTimeout: number;
}

export async function wait(session: Session<WaitOptions>): Promise<ExitCode> {
  return noticed(session, waitForAll);
}

async function waitForAll(session: Session<WaitOptions>): Promise<ExitCode> {
  const { output } = session;
  output.event(versionEvent());
  const files = await manifestsOf(session);
  if (!files.ok) return refuseRun(files.error, output);
  return withService(session, async (service) => {
    const globs = createPostGlobs(session.options, files.value);
    const whole = createWholeApply(files.value, session, { service, wishes: wishesOf(session.options) });
    try {
      const take = (file: string, named: Session<WaitOptions>) => waitOne(file, named, { whole, globs });
      const exit = await eachRun(files.value, session, { take, whyNot: whole.whyNot });
      const mistyped = files.value.length > 1 ? globs.unseen() : undefined;
      return mistyped ? strongestExit([exit, tell(mistyped, output)]) : exit;
    } finally {
      await whole.close();
    }
  });
}

async function waitOne(
  file: string,
  session: Session<WaitOptions>,
  { whole, globs }: { readonly whole: WholeApply; readonly globs: PostGlobs },
): Promise<Refusal | TurnEnd> {
  const { options } = session;
  const loaded = await loadUnread(session, file);
  if (!loaded.ok) return loaded.error;
  const { manifest, warnings } = loaded.value;
  const names = namesOf(manifest);
  const about = session.about(names);
  about.output.problems(warnings);
  const misplaced =
    profileElsewhere(whole.service.profile, manifest.environment) ?? whole.claims.claim(file, loaded.value);
  if (misplaced) return { ...names, exit: refuseRun(misplaced, about.output) };
  // As in `apply`: what a run makes beside its records is garbage.
  setFlagsFromString('--heap-growing-percent=25');
  const shown = createApplyConsole(about.output, await chooseRenderer(about), 'Wait');
  const thumbnails = thumbnailsMeanwhile(loaded.value);
  const follow = (event: AppEvent) => {
    shown.follow(event);
    thumbnails.follow(event);
  };
  const { runtime } = about.following(follow, whole.service);
  try {
    const { exit, counts } = await waitCampaign(runtime, loaded.value, {
      selection: globs,
      see: globs.see,
      deadlineMs: whole.deadlineMs(),
      concurrency: options.concurrency,
      lockTimeoutMs: options.lockTimeout,
      signal: whole.signal,
      listen: whole.listen,
      shared: await whole.services(),
      accounts: whole.accounts,
      readAll: () => readerOf(session)(file),
      selectedBy: chosenBy(options),
    });
    return { ...names, exit, nodes: counts };
  } finally {
    shown.close();
    await thumbnails.close();
  }
}
