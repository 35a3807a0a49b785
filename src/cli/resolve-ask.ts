/**
 * `campaign resolve` on a terminal. No lock is held while it asks: each decision takes the lock, is checked against the
 * state at that moment, and is recorded before the next question.
 */
import type { Graph } from '../model/graph.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { ObjectState, RequestState, RunState } from '../model/run-state.ts';
import { lookForText } from '../render/look-for-text.ts';
import { problemText } from '../views/cause-words.ts';
import { inertText } from '../util/inert-text.ts';
import { jsonText } from '../util/inert-json.ts';
import { hasWildcard, matchesGlob } from '../util/match-glob.ts';
import { lookFor } from '../views/look-for.ts';
import type { OpenState } from '../store/store.ts';
import type { Result } from '../util/result.ts';
import { choose, type Choice, type Question, unanswered } from './choose.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { Output } from './output.ts';
import { type Decision, findOpen, type OpenNode } from '../app/resolve-node.ts';
import { askLine, type Terminal } from './terminal.ts';

interface Asking {
  readonly graph: Graph;
  readonly terminal: Terminal;
  readonly output: Output;
  readonly read: () => Promise<Result<OpenState, Refusal>>;
  readonly record: (address: string, decision: Decision) => Promise<ExitCode>;
}

/** About one node, or about everything unknown that matches. */
export async function askDecisions(glob: string, asking: Asking): Promise<ExitCode | Refusal> {
  const read = await asking.read();
  if (!read.ok) return read.error;
  if (!hasWildcard(glob)) {
    const found = findOpen(read.value.state, glob);
    return found.ok ? askOne(found.value.address, asking) : found.error;
  }
  const unknown = (state: RunState) =>
    unknownNodes(state).filter(({ address }) => matchesGlob(glob, address));
  const nodes = unknown(read.value.state);
  if (!nodes.length) asking.output.result('Nothing is unknown: there is nothing to decide.\n');
  for (const node of nodes) {
    const end = await askOne(node.address, asking);
    if (end !== EXIT.ok) return end;
  }
  const left = await asking.read();
  if (!left.ok) return left.error;
  return unknown(left.value.state).length ? EXIT.undecided : EXIT.ok;
}

/** Asks until a decision is recorded, the node is left, or somebody else has decided it. */
async function askOne(address: string, asking: Asking): Promise<ExitCode | Refusal> {
  const { terminal, output, record } = asking;
  const left = { nothing: 'what was not decided stays as it is', terminal };
  for (;;) {
    const read = await asking.read();
    if (!read.ok) return read.error;
    const { state } = read.value;
    const node = unknownNodes(state).find((each) => each.address === address);
    const found = findOpen(state, address);
    if (!found.ok) return EXIT.ok;
    output.progress(
      `\n${(node ? evidenceText(node, { ...asking, state }) : openText(found.value)).join('\n')}\n`,
    );
    const chosen = await choose(found.value.status === 'unknown' ? UNKNOWN : TO_GIVE_UP, terminal);
    if (chosen.type !== 'chosen') return unanswered(chosen, left);
    let decision = chosen.value;
    if (decision === 'leave') return EXIT.ok;
    if (decision === 'quit') return EXIT.needsConsent;
    if (decision === 'created') {
      const id = await askLine('Its id: ', terminal);
      if (id.type !== 'line') return unanswered(id, left);
      decision = { type: 'created', id: id.text };
    }
    const end = await record(address, decision);
    if (end === EXIT.ok || end === EXIT.cannotWrite || end === EXIT.badState) return end;
  }
}

type Answer = Decision | 'created' | 'quit' | 'leave';

const SKIP: Choice<Answer> = {
  keys: ['s', 'skip'],
  does: 'skip: give it up',
  explained: 'No run waits for it or requests it again until its inputs change. It may have been made.',
  value: { type: 'skipped' },
};
const QUIT: Choice<Answer> = {
  keys: ['q', 'quit'],
  does: 'quit: ask no more',
  explained: 'What is decided stays decided, the rest stays as it is, and the command ends with 5.',
  value: 'quit',
};
const LEAVE: Choice<Answer> = {
  keys: ['l', 'leave'],
  does: 'leave it as it is',
  explained: 'Nothing is recorded. `campaign resolve` asks about it again.',
  value: 'leave',
};

const UNKNOWN: Question<Answer> = {
  prompt: 'What became of it?',
  choices: [
    {
      keys: ['c', 'created'],
      does: 'created: it exists, under an id',
      explained: 'The id is asked for, checked with the service where that can be, and used from now on.',
      value: 'created',
    },
    {
      keys: ['n', 'not created', 'not-created'],
      does: 'not created: the next apply requests it again',
      explained: 'The next apply requests it again. If it does exist, it is made twice.',
      value: { type: 'not-created' },
    },
    SKIP,
    QUIT,
    LEAVE,
  ],
};

/** A post that failed, or is still being generated, can only be given up. */
const TO_GIVE_UP: Question<Answer> = { prompt: 'What shall it be?', choices: [SKIP, QUIT, LEAVE] };

function unknownNodes({ objects, requests }: RunState): (ObjectState | RequestState)[] {
  return [...objects.values(), ...requests.values()].filter(({ status }) => status === 'unknown');
}

/** What is known of a node that somebody named. One with the status `unknown` was given up before. */
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

function evidenceText(
  node: ObjectState | RequestState,
  known: { readonly graph: Graph; readonly state: RunState },
): string[] {
  const { address, at, evidence } = node;
  const lines = [`${address} is unknown since ${minuteOf(at)}`];
  if (evidence) lines.push(`  ${problemText(evidence)}`);
  if (evidence?.request) lines.push(`  request: ${inertText(evidence.request, 200)}`);
  if (evidence?.status !== undefined) lines.push(`  answer: ${evidence.status}`);
  lines.push(`  sent: ${sentText(node)}`);
  const sought = lookFor(address, known);
  if (sought) lines.push(`  look for: ${lookForText(sought)}`);
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

export const NO_DECISION = refusal(EXIT.usage, {
  code: 'no-decision',
  summary: 'No decision',
  detail:
    'Say what became of it: --id UUID, --not-created or --skip, or let --find ask. On a terminal `campaign resolve` shows what is known of ' +
    'each unknown node and asks.',
});

export const NO_ADDRESS = refusal(EXIT.usage, {
  code: 'no-address',
  summary: 'No node',
  detail:
    'Name the node that the decision is about, or several by a glob, or say --all. `campaign status` lists what is open.',
});
