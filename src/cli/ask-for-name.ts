import type { ShownCampaign } from '../app/campaign.ts';
import type { DestroyQuestion } from '../app/destroy-campaign.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { unanswered } from './choose.ts';
import type { SharedOptions } from './options.ts';
import type { Session } from './session.ts';
import { headline } from './show-plan.ts';
import { shownPlan } from './shown-plan.ts';
import { askLine, ownTerminal } from './terminal.ts';

interface Asking {
  readonly campaign: ShownCampaign;
  readonly session: Session<SharedOptions & { readonly yes?: true }>;
  /** Whether the environment was said, or there is none to say. */
  readonly isSaid: boolean;
}

/** What cannot be taken back is agreed to by typing its name; undefined means yes. */
export async function askForName(
  { what, question, plan, known }: DestroyQuestion,
  { campaign, session: { options, output, runtime }, isSaid }: Asking,
): Promise<Refusal | undefined> {
  const isAsking = !options.yes && output.mode === 'text' && !output.isQuiet;
  const terminal = isAsking ? ownTerminal(runtime.clock) : undefined;
  if (!terminal) {
    const env = `--env ${campaign.manifest.environment.name}`;
    const flags = isSaid ? '--yes' : `--yes and ${env}`;
    const detail = `${what} Nothing was deleted: nobody can be asked, so say ${flags} if you mean it.`;
    return refusal(EXIT.needsConsent, { code: 'not-confirmed', summary: 'This needs a yes', detail });
  }
  const text = shownPlan(plan, campaign, { output, verb: 'destroy', to: 'progress' });
  output.progress(`${headline(campaign, known, output.errorColumns)}\n\n${text}\n`);
  terminal.output.write(`${what}\n`);
  const reply = await askLine(`Type \`${question}\` to delete it: `, terminal);
  if (reply.type !== 'line') return unanswered(reply, { nothing: 'nothing was deleted', terminal });
  if (reply.text === question) return undefined;
  terminal.output.write('Nothing was deleted.\n');
  return { exit: EXIT.needsConsent, problems: [] };
}
