import type { Campaign } from '../app/campaign.ts';
import type { ServiceSettings } from '../app/connect-service.ts';
import { destroyCampaign } from '../app/destroy-campaign.ts';
import { DEFAULT_MANIFEST } from '../app/find-manifests.ts';
import { createApplyConsole, seenOf } from '../cli/apply-console.ts';
import { askForName } from '../cli/ask-for-name.ts';
import type { ServiceOptions, SharedOptions } from '../cli/options.ts';
import { namesOf, refuseRun, versionEvent } from '../cli/output.ts';
import { chooseRenderer } from '../cli/run-renderer.ts';
import { profileElsewhere, withService } from '../cli/service-flags.ts';
import { accountsOf, loadFor, type Session } from '../cli/session.ts';
import { stopOnSignals } from '../cli/signals.ts';
import type { ExitCode } from '../model/exit.ts';

export interface DestroyFlags extends SharedOptions, ServiceOptions {
  readonly files?: true;
  readonly yes?: true;
  readonly concurrency?: number;
  readonly lockTimeout: number;
}

export async function destroy(session: Session<DestroyFlags>): Promise<ExitCode> {
  const { args, output } = session;
  output.event(versionEvent());
  const file = args[0] ?? DEFAULT_MANIFEST;
  const named = session.about({ manifest: file });
  return withService(named, async (service) => {
    const loaded = await loadFor(named, file);
    if (!loaded.ok) return refuseRun(loaded.error, named.output);
    const { manifest, warnings } = loaded.value;
    const about = named.about(namesOf(manifest));
    about.output.problems(warnings);
    const misplaced = profileElsewhere(service.profile, manifest.environment);
    return misplaced ? refuseRun(misplaced, about.output) : destroyLoaded(loaded.value, about, service);
  });
}

async function destroyLoaded(
  campaign: Campaign,
  about: Session<DestroyFlags>,
  service: ServiceSettings,
): Promise<ExitCode> {
  const { options, output } = about;
  const shown = createApplyConsole(output, await chooseRenderer(about), 'Destroy');
  const { runtime } = about.following(shown.follow, service);
  // Whoever says yes beforehand has to say where, too: the default may be another environment than is meant.
  const isSaid = options.env !== undefined || !campaign.manifest.namesEnvironments;
  try {
    const ended = await destroyCampaign(runtime, campaign, {
      waiting: 'all',
      accounts: accountsOf(about, []),
      concurrency: options.concurrency,
      listen: stopOnSignals,
      lockTimeoutMs: options.lockTimeout,
      files: options.files ? 'go' : 'stay',
      isAgreed: options.yes === true && isSaid,
      async ask(question) {
        const refused = await askForName(question, { campaign, session: about, isSaid });
        shown.seen.plan = seenOf(refused ? undefined : 'all');
        return refused;
      },
    });
    return ended.ok ? ended.value.exit : refuseRun(ended.error, output);
  } finally {
    shown.close();
  }
}
