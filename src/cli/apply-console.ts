import type { ShownCampaign } from '../app/campaign.ts';
import type { Answer, Ask, PayQuestion } from '../app/decide-plan.ts';
import type { Payable } from '../app/payable.ts';
import type { AppEvent, PlanDecided } from '../app/runtime.ts';
import { EXIT } from '../model/exit.ts';
import type { RunEvent } from '../model/run-event.ts';
import { failureDiagnostics } from '../render/failure-text.ts';
import { planLine } from '../render/plan-line.ts';
import { openText, planText, waitText } from '../render/plan-text.ts';
import type { Renderer } from '../render/renderer.ts';
import { summaryCauses } from '../render/summary-causes.ts';
import { inertText } from '../util/inert-text.ts';
import { hasWork } from '../views/plan-summary.ts';
import { err, ok } from '../util/result.ts';
import { applyQuestion } from './apply-question.ts';
import { choose, unanswered } from './choose.ts';
import type { Output } from './output.ts';
import type { RendererFor } from './run-renderer.ts';
import { tellReading } from './session.ts';
import { headline } from './show-plan.ts';
import { shownPlan } from './shown-plan.ts';
import { tellEnd, unagreed, type Verb } from './tell-end.ts';
import type { Terminal } from './terminal.ts';

const OUTDATED = '\nThe state or the manifest has changed meanwhile, and with it the plan:\n\n';

/** `verb`: what the command is called in its last line. */
export function createApplyConsole(output: Output, rendererFor: RendererFor, verb: Verb = 'Apply') {
  const running: Running = {};
  /** What was shown with the question, and is not shown again. */
  const seen: Seen = { warnings: new Set(), plan: 'nothing' };

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
        seen.plan = 'nothing';
        return output.progress(OUTDATED);
      case 'plan-decided':
        return begin(event);
      case 'work-ended':
        close();
        return tellWork(event, running, { output, verb });
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
    showDecided(decided, seen.plan, { output, verb });
    running.campaign = decided.campaign;
    // A plan with only renames has no run to show.
    if (!decided.plan.nodes.isEmpty) running.renderer = rendererFor(decided);
  }

  function askAt(terminal: Terminal): Ask {
    return async (question) => {
      const answer = await askToPay(question, { output, terminal });
      seen.warnings = new Set(question.warnings);
      if (answer.ok) seen.plan = seenOf(answer.value);
      return answer;
    };
  }

  /** Ends what is redrawn on the screen. */
  function close(): void {
    running.renderer?.close();
    running.renderer = undefined;
  }
}

interface Running {
  campaign?: ShownCampaign;
  renderer?: Renderer | undefined;
}

/** `more`: what was shown is the plan with all that was asked about, and a part of that is done. */
interface Seen {
  warnings: Set<string>;
  plan: 'nothing' | 'whole' | 'more';
}

/** What a terminal has shown of a plan that somebody agreed to. Files and pipes get it all the same. */
export function seenOf(answer: Answer | undefined): Seen['plan'] {
  if (answer === undefined || !process.stdout.isTTY) return 'nothing';
  return answer === 'all' ? 'whole' : 'more';
}

/** Which command shows a plan without doing it. */
const COMMANDS: Readonly<Record<Verb, string>> = { Apply: 'plan', Wait: 'wait', Destroy: 'destroy' };

interface Showing {
  readonly output: Output;
  readonly verb: Verb;
}

function showDecided(
  { campaign, plan, known }: PlanDecided,
  seen: Seen['plan'],
  { output, verb }: Showing,
): void {
  if (!output.isQuiet && seen === 'whole') return;
  if (!output.isQuiet && seen === 'more') return output.result(`${planLine(plan, output.style)}\n`);
  const shown = { output, verb: COMMANDS[verb] };
  if (output.isQuiet) output.result(shownPlan(plan, campaign, { ...shown, textOf: openText }));
  else {
    const text = shownPlan(plan, campaign, { ...shown, textOf: verb === 'Wait' ? waitText : planText });
    output.result(`${headline(campaign, known, output.columns)}\n\n${text}`);
  }
}

function tellWork(
  { end, plan }: Extract<AppEvent, { type: 'work-ended' }>,
  { campaign }: Running,
  { output, verb }: Showing,
): void {
  if (!campaign) return;
  const { failures = [], earlier = [] } = end;
  const told = failureDiagnostics(failures, campaign);
  const again = new Set(failures.map(({ address }) => address));
  const others = earlier.filter(({ address }) => !again.has(address));
  // The plan has shown what failed before; in JSON each failure is an event of its own.
  output.hear({ type: 'problems', problems: failureDiagnostics(others, campaign) });
  output.hear({ type: 'problems', problems: told });
  if (output.mode === 'json') return output.problems(unagreed(plan, campaign));
  const causes = summaryCauses(failures, campaign, {
    columns: output.errorColumns,
    style: output.errorStyle,
  });
  if (causes) output.progress(causes);
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
  const text = shownPlan(plan, campaign, { output, to: 'progress' });
  output.progress(`${headline(campaign, known, output.errorColumns)}\n\n${text}\n`);
}

export async function askAbout(posts: Payable, { output, terminal }: Asked): ReturnType<Ask> {
  const question = applyQuestion(posts);
  output.progress(`${question.what}\n`);
  const chosen = await choose(question, terminal);
  if (chosen.type !== 'chosen') return err(unanswered(chosen, { nothing: 'nothing was sent', terminal }));
  if (chosen.value !== 'nothing') return ok(chosen.value);
  output.progress('Nothing was sent.\n');
  return err({ exit: EXIT.needsConsent, problems: [] });
}
