import { type Refreshed, refreshCampaign } from '../app/refresh-campaign.ts';
import { consentOf } from '../cli/confirm.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { namesOf } from '../cli/output.ts';
import { refreshedJson, refreshedText } from '../cli/refreshed-text.ts';
import { type CommandEnd, loadFor, type Session } from '../cli/session.ts';
import { headline } from '../cli/show-plan.ts';
import { commandText } from '../model/command-text.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';

interface RefreshOptions extends ChangeOptions {
  readonly detailedExitcode?: true;
}

export async function refresh(session: Session<RefreshOptions>): CommandEnd {
  const { args, options, runtime } = session;
  const loaded = await loadFor(session, args[0]);
  if (!loaded.ok) return loaded.error;
  const campaign = loaded.value;
  const { output } = session.about(namesOf(campaign.manifest));
  const change = { consent: consentOf(session), lockTimeoutMs: options.lockTimeout };
  const refreshed = await refreshCampaign(runtime, campaign, change);
  if (!refreshed.ok) return refreshed.error;
  const { known, found } = refreshed.value;
  const head = `${headline(campaign, known)}\n\n`;
  const text = refreshedText(found, { plan: commandText('plan', campaign.target), style: output.style });
  const isNews = found.changed.length + found.gone.length + found.back.length + found.unclear.length > 0;
  if (output.mode === 'json' || !output.isQuiet || isNews)
    output.answer(refreshedJson(found), output.isQuiet ? text : head + text);
  return exitOf(found, options);
}

/** What was not clear is read again by the next refresh. */
function exitOf(
  { changed, gone, unclear }: Refreshed,
  { detailedExitcode }: Pick<RefreshOptions, 'detailedExitcode'>,
): ExitCode {
  if (unclear.length) return EXIT.incomplete;
  return detailedExitcode && changed.length + gone.length > 0 ? EXIT.changes : EXIT.ok;
}
