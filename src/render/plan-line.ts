import type { Plan } from '../model/plan.ts';
import { nonZero } from '../util/count.ts';
import { limitTexts, requestedText } from '../views/budget-words.ts';
import { planNumbers, type PlanNumbers, sendsChanges } from '../views/plan-summary.ts';
import type { Style } from './style.ts';

/** `Plan: …`, or `No changes.` when nothing is to be sent and nothing is open. */
export function planLine(plan: Plan, style: Style): string {
  const numbers = planNumbers(plan);
  if (!isChange(plan)) {
    const open = openIn(numbers);
    return open.length ? `No changes; ${open.join(', ')}.` : style.green('No changes.');
  }
  const { create, update, replace, delete: deleted, move, held } = numbers;
  const moves = move ? `, ${move} to move` : '';
  const posts = [requestedText([plan]), ...(plan.cost ? limitTexts(plan.cost) : [])].join('; ');
  const rest = [
    ...nonZero([
      [held, `finished left as ${held === 1 ? 'it is' : 'they are'}`],
      [numbers.held_up, 'held up'],
      [numbers.not_deleted, 'not deleted'],
    ]),
    openPosts(numbers).join(', '),
    ...leftOut(numbers),
  ];
  const sentences = rest.flatMap((words) => (words ? [` ${words}.`] : []));
  return `${style.bold('Plan:')} ${create} to create, ${update} to update, ${replace} to replace, ${deleted} to delete${moves}. ${posts}.${sentences.join('')}`;
}

/** Whether a plan is more than what earlier runs left open. */
export function isChange(plan: Plan): boolean {
  const { moves, fileMoves, held, deletions } = plan;
  const lists = [moves, fileMoves, held, deletions?.withheld ?? []];
  return sendsChanges(plan) || lists.some(({ length }) => length > 0);
}

/** What is open in a plan that changes nothing. */
export function openWords(plan: Plan): string[] {
  return openIn(planNumbers(plan));
}

function openIn(numbers: PlanNumbers): string[] {
  return [...openPosts(numbers), ...leftOut(numbers)];
}

function leftOut(numbers: PlanNumbers): string[] {
  return nonZero([
    [numbers.over_budget, 'over budget'],
    [numbers.not_selected, 'not selected'],
  ]);
}

function openPosts(numbers: PlanNumbers): string[] {
  return nonZero([
    [numbers.pending, 'pending'],
    [numbers.to_download, 'to download'],
    [numbers.failed, 'failed'],
    [numbers.gone, 'gone'],
    [numbers.to_recheck, 'to recheck'],
    [numbers.unknown, 'unknown'],
    [numbers.blocked, 'blocked'],
  ]);
}
