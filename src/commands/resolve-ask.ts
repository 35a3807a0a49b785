/** `campaign resolve` on a terminal: shows what is known of each unknown node, and asks what became of it. */
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { ObjectState, RequestState, RunState } from '../model/run-state.ts';
import { problemText } from '../render/run-words.ts';
import { inertText } from '../util/inert-text.ts';
import { jsonText } from '../util/inert-json.ts';
import type { Changing } from './change-state.ts';
import { ask } from './confirm.ts';
import type { Output, Refusal } from './output.ts';
import { recordRun } from './record-run.ts';
import { type Decide, type Decision, say } from './resolve-decision.ts';
import { findOpen, type OpenNode } from './resolve-find.ts';

/** Asks for one node, or for all that are unknown; each decision is recorded before the next question. */
export async function askDecisions(
  address: string | undefined,
  { open, output }: Changing,
  decide: Decide,
): Promise<ExitCode | Refusal> {
  const all = unknownNodes(open.state);
  const nodes = address === undefined ? all : all.filter((node) => node.address === address);
  if (address !== undefined && !nodes.length) {
    const found = findOpen(open.state, address);
    if (!found.ok) return found.error;
    const choices = found.value.status === 'unknown' ? UNKNOWN : TO_GIVE_UP;
    return askOne(found.value.address, openText(found.value), { open, output, decide, choices });
  }
  if (!nodes.length) output.result('Nothing is unknown: there is nothing to decide.\n');
  for (const node of nodes) {
    const end = await askOne(node.address, evidenceText(node), { open, output, decide, choices: UNKNOWN });
    if (end !== EXIT.ok) return end;
  }
  const left = unknownNodes(open.state).length;
  return left > 0 && address === undefined ? EXIT.undecided : EXIT.ok;
}

interface Asking extends Pick<Changing, 'open' | 'output'> {
  readonly decide: Decide;
  readonly choices: Choices;
}

async function askOne(
  address: string,
  evidence: readonly string[],
  { open, output, decide, choices }: Asking,
): Promise<ExitCode> {
  output.progress(`\n${evidence.join('\n')}\n${choices.list}`);
  for (;;) {
    const decision = await askDecision(choices);
    if (decision === 'stop') return EXIT.sigint;
    if (decision === 'leave') return EXIT.ok;
    const decided = await decide(address, decision);
    if (decided.ok) {
      await recordRun(open.recorder, [decided.value.event], new Date().toISOString());
      say(decided.value, output);
      return EXIT.ok;
    }
    tell(decided.error, output);
  }
}

interface Choices {
  readonly list: string;
  readonly question: string;
  readonly keys: string;
}

const UNKNOWN: Choices = {
  list: `  c  created: it exists, under an id
  n  not created: the next apply requests it again
  s  skip: give it up
  l  leave it as it is (default)
`,
  question: 'What became of it? [c/n/s/L] ',
  keys: 'cns',
};

/** What failed, or is still being generated, can only be given up. */
const TO_GIVE_UP: Choices = {
  list: `  s  skip: give it up
  l  leave it as it is (default)
`,
  question: 'What shall it be? [s/L] ',
  keys: 's',
};

async function askDecision({ question, keys }: Choices): Promise<Decision | 'leave' | 'stop'> {
  const answer = (await ask(question))?.toLowerCase();
  if (answer === undefined) return 'stop';
  if (!keys.includes(answer)) return 'leave';
  switch (answer) {
    case 'n':
      return { type: 'not-created' };
    case 's':
      return { type: 'skipped' };
    case 'c': {
      const id = await ask('Its id: ');
      return id === undefined ? 'stop' : { type: 'created', id };
    }
    default:
      return 'leave';
  }
}

function tell({ diagnostics }: Refusal, output: Output): void {
  output.diagnostics(diagnostics);
}

function unknownNodes({ objects, requests }: RunState): (ObjectState | RequestState)[] {
  return [...objects.values(), ...requests.values()].filter(({ status }) => status === 'unknown');
}

/** What is known of a node that was named: what is unknown of these was given up. */
function openText({ address, status, take, problem }: OpenNode): string[] {
  const heads = {
    unknown: `${address} was given up`,
    failed: `${address} has failed`,
    pending: `${address} is being generated, requested ${minuteOf(take?.requestedAt ?? '')}`,
  };
  return [heads[status], ...(problem ? [`  ${problemText(problem)}`] : [])];
}

function minuteOf(at: string): string {
  return at.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}

/** When it was sent, what was sent, what came back. */
function evidenceText(node: ObjectState | RequestState): string[] {
  const { address, at, evidence } = node;
  const lines = [`${address} is unknown since ${minuteOf(at)}`];
  if (evidence) lines.push(`  ${problemText(evidence)}`);
  if (evidence?.request) lines.push(`  request: ${inertText(evidence.request, 200)}`);
  if (evidence?.status !== undefined) lines.push(`  answer: ${evidence.status}`);
  lines.push(`  sent: ${sentText(node)}`);
  return lines;
}

const LONGEST = 400;

function sentText(node: ObjectState | RequestState): string {
  if ('inputs' in node) return jsonText(node.inputs).slice(0, LONGEST);
  const { numberOfPosts, items } = node.payload;
  const posts = items.map(
    ({ item, payload }) => `${item} (${payload.post_type} ${payload.metadata.aspect_ratio})`,
  );
  return `${numberOfPosts} ${numberOfPosts === 1 ? 'post' : 'posts'}: ${posts.join(', ')}`.slice(0, LONGEST);
}
