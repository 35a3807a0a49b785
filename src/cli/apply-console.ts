import type { ShownCampaign } from '../app/campaign.ts';
import type { Ask, Payable, PayQuestion } from '../app/decide-plan.ts';
import type { AppEvent, PlanDecided } from '../app/runtime.ts';
import { EXIT } from '../model/exit.ts';
import type { RunEvent } from '../model/run-event.ts';
import { failureDiagnostics } from '../render/failure-text.ts';
import { openText, planText, waitText } from '../render/plan-text.ts';
import type { Renderer } from '../render/renderer.ts';
import { inertText } from '../util/inert-text.ts';
import { hasWork } from '../views/plan-summary.ts';
import { err, ok } from '../util/result.ts';
import { applyQuestion } from './apply-question.ts';
import { choose, unanswered } from './choose.ts';
import type { Output } from './output.ts';
import type { RendererFor } from './run-renderer.ts';
import { tellReading } from './session.ts';
import { headline } from './show-plan.ts';
import { tellEnd, type Verb } from './tell-end.ts';
import type { Terminal } from './terminal.ts';

const OUTDATED = '\nThe state or the manifest has changed meanwhile, and with it the plan:\n\n';

/** `verb`: what the command is called in its last line. */
export function createApplyConsole(output: Output, rendererFor: RendererFor, verb: Verb = 'Apply') {
  const running: { campaign?: ShownCampaign; renderer?: Renderer | undefined } = {};
  /** What was shown with the question, and is not shown again. */
  const seen = { warnings: new Set<string>(), plan: false };

  return { follow, askAt, seen, close };

  function follow(event: AppEvent): void {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other events are those of the run
    switch (event.type) {
      case 'reading':
        return tellReading(event, output);
      case 'unrecorded':
        return void process.stderr.write(event.lines);
      case 'diagnostic':
        close();
        return output.problems([event]);
      case 'plan-outdated':
        seen.warnings.clear();
        seen.plan = false;
        return output.progress(OUTDATED);
      case 'plan-decided':
        return begin(event);
      case 'work-ended':
        close();
        return tellWork(event, running.campaign, { output, verb });
      default:
        return show(event);
    }
  }

  function show(event: RunEvent): void {
    if (running.renderer) return running.renderer.show(event);
    output.event(event);
    if (event.type === 'warning' && output.mode === 'text' && !seen.warnings.has(event.summary))
      output.progress(`  ! ${inertText(event.summary)}\n`);
  }

  function begin(decided: PlanDecided): void {
    if (output.isQuiet || !seen.plan) showDecided(decided, { output, verb });
    running.campaign = decided.campaign;
    // A plan with only renames has no run to show.
    if (!decided.plan.nodes.isEmpty) running.renderer = rendererFor(decided);
  }

  function askAt(terminal: Terminal): Ask {
    return async (question) => {
      const answer = await askToPay(question, { output, terminal });
      seen.warnings = new Set(question.warnings);
      seen.plan = answer.ok && answer.value === 'all' && process.stdout.isTTY;
      return answer;
    };
  }

  /** Ends what is redrawn on the screen. */
  function close(): void {
    running.renderer?.close();
    running.renderer = undefined;
  }
}

interface Showing {
  readonly output: Output;
  readonly verb: Verb;
}

function showDecided({ campaign, plan, known }: PlanDecided, { output, verb }: Showing): void {
  const where = { locate: campaign.manifest.locate, target: campaign.target };
  if (output.isQuiet) output.result(openText(plan, where, output.style));
  else {
    const text = verb === 'Wait' ? waitText : planText;
    output.result(`${headline(campaign, known)}\n\n${text(plan, where, output.style)}`);
  }
}

function tellWork(
  { end, plan }: Extract<AppEvent, { type: 'work-ended' }>,
  campaign: ShownCampaign | undefined,
  { output, verb }: Showing,
): void {
  if (!campaign) return;
  const { failures = [], earlier = [] } = end;
  const told = failureDiagnostics(failures, campaign);
  const again = new Set(failures.map(({ address }) => address));
  const others = earlier.filter(({ address }) => !again.has(address));
  // The plan has shown what failed before; in JSON each failure is an event of its own.
  output.hear({ type: 'problems', problems: failureDiagnostics(others, campaign) });
  if (output.mode === 'json') return output.hear({ type: 'problems', problems: told });
  output.problems(told);
  if (hasWork(plan) || end.exit !== EXIT.ok) tellEnd({ end, plan, verb }, campaign, output);
}

interface Asked {
  readonly output: Output;
  readonly terminal: Terminal;
}

function askToPay(question: PayQuestion, asked: Asked): ReturnType<Ask> {
  showQuestioned(question, asked.output);
  return askAbout(question.posts, asked);
}

/** What a question is about. */
export function showQuestioned({ campaign, plan, known, warnings }: PayQuestion, output: Output): void {
  for (const warning of warnings) output.progress(`  ! ${inertText(warning)}\n`);
  const where = { locate: campaign.manifest.locate, target: campaign.target };
  output.progress(`${headline(campaign, known)}\n\n${planText(plan, where, output.errorStyle)}\n`);
}

export async function askAbout(posts: Payable, { output, terminal }: Asked): ReturnType<Ask> {
  const question = applyQuestion(posts);
  output.progress(`${question.what}\n`);
  const chosen = await choose(question, terminal);
  if (chosen.type !== 'chosen') return err(unanswered(chosen, { nothing: 'nothing was sent', terminal }));
  if (chosen.value !== 'nothing') return ok(chosen.value);
  output.progress('Nothing was sent.\n');
  return err({ exit: EXIT.refused, problems: [] });
}
