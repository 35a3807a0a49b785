import { kindHas } from '../model/kinds.ts';
import { isDeletion, type Plan, type PlannedNode, type Reason } from '../model/plan.ts';
import type { Locate } from '../model/source.ts';
import { LEFT_ALONE, leftAloneEntries, planLine } from './plan-text.ts';
import { whyOverBudget } from '../views/budget-words.ts';
import { isCounted, rechecksOf, plannedAddress } from '../views/plan-summary.ts';
import { reasonLines } from './reason-text.ts';
import { createStyle } from './style.ts';

/** The longest comment that code hosts take is 65,536 characters. */
const LONGEST = 65_000;

const PLAIN = createStyle({}, 'never');

interface Planned {
  readonly name: string;
  readonly environment: string;
  /** The period that each post plan with `every` is planned for. */
  readonly periods?: Readonly<Record<string, string>> | undefined;
}

/** A plan as a comment on a pull request. The hidden marker lets a bot find its own earlier comment and replace it. */
export function planMarkdown(
  plan: Plan,
  { name, environment, periods = {} }: Planned,
  locate: Locate,
): string {
  const excess = whyOverBudget(plan);
  const head = [
    `<!-- campaign-plan: ${name} ${environment} -->`,
    `### campaign: ${name} → ${environment}`,
    '',
    ...Object.entries(periods).map(([post, period]) => `${code(post)}: ${period}\n`),
    `**${planLine(plan, PLAIN).replace(/^Plan: /, '')}**`,
    ...(excess === undefined ? [] : ['', `Over budget: ${escapeMarkdown(excess)}.`]),
    '',
  ].join('\n');
  const sections = sectionsOf(plan, locate).filter(([, entries]) => entries.length);
  let text = head;
  let left = sections.reduce((sum, [, entries]) => sum + entries.length, 0);
  for (const [title, entries] of sections) {
    text += `\n#### ${title}\n\n`;
    for (const entry of entries) {
      if (text.length + entry.length > LONGEST - 100) return `${text}\n… and ${left} more.\n`;
      text += `${entry}\n`;
      left -= 1;
    }
  }
  return text;
}

function sectionsOf(plan: Plan, locate: Locate): [title: string, entries: string[]][] {
  const rechecks = new Set(rechecksOf(plan));
  const counted = plan.nodes.filter(isCounted);
  const nodes = (which: (node: PlannedNode) => boolean) =>
    counted.filter(which).map((node) => entry(plannedAddress(node), node.reasons, locate));
  const addresses = (all: readonly string[]) => all.map((address) => `- ${code(address)}`);
  const failed = (gone: boolean) =>
    plan.failed.flatMap(({ address, isGone = false }) => (isGone === gone ? address : []));
  const isPost = (node: PlannedNode) => kindHas(node, 'stored', 'take');
  const waits = (node: PlannedNode) =>
    (node.action === 'resume' || node.action === 'blocked') && !rechecks.has(node);
  const leftAlone = leftAloneEntries(plan).map(([address, why]) =>
    why === LEFT_ALONE ? `- ${code(address)}` : `- ${code(address)} ${escapeMarkdown(why)}`,
  );
  return [
    ['Finished posts that would be paid again', nodes(({ action }) => action === 'replace')],
    ['Deleted at the service', nodes(isDeletion)],
    ['New posts', nodes((node) => isPost(node) && node.action === 'create')],
    ['Changed', nodes(({ action }) => action === 'update')],
    ['New', nodes((node) => !isPost(node) && node.action === 'create')],
    ['Kept, whatever changed', plan.kept.map(({ address, reasons }) => entry(address, reasons, locate))],
    ['Moved', plan.moves.map(({ from, to }) => `- ${code(from)} → ${code(to)}`)],
    ['Waiting', nodes(waits)],
    ['Failed before, to recheck', nodes((node) => rechecks.has(node))],
    ['Gone at the service', addresses(failed(true))],
    ['Failed', addresses(failed(false))],
    ['Unknown: `campaign resolve` decides', addresses(plan.unknown.map(({ address }) => address))],
    ['Not deleted', addresses(plan.deletions?.withheld.map(({ address }) => address) ?? [])],
    ['Left alone: the manifest no longer names them', leftAlone],
  ];
}

function entry(address: string, reasons: readonly Reason[], locate: Locate): string {
  const told = reasons.filter(({ summary, field }) => field !== undefined || summary !== 'new');
  const lines = reasonLines(told, locate, PLAIN).map((line) => {
    const depth = /^ */.exec(line)?.[0] ?? '';
    return `  ${depth}- ${escapeMarkdown(line.trim())}`;
  });
  return [`- ${code(address)}`, ...lines].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Text from a manifest must not become markup, links or mentions. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|#@~]/g, (character) => `\\${character}`);
}
