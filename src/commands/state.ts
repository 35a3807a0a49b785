import { lookAtState } from '../app/read-state.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { DEFAULT, lastWord } from '../cli/target.ts';
import { mediaOf, splitTake } from '../model/address.ts';
import { storedAs } from '../model/kinds.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import { tableText } from '../render/text-columns.ts';
import { jsonText } from '../util/inert-json.ts';
import { listState } from '../views/list-state.ts';
import type { Result } from '../util/result.ts';
import type { OpenState } from '../store/store.ts';

export async function stateList(session: Session): Promise<ExitCode | Refusal> {
  const opened = await stateOf(session, session.args[0] ?? DEFAULT);
  if (!opened.ok) return opened.error;
  const rows = listState(opened.value.state);
  const cells = rows.map(({ address, status, id }) => [address, status, id ?? '']);
  session.output.answer(rows, tableText(['address', 'status', 'id'], cells));
  return EXIT.ok;
}

export async function stateShow(session: Session): Promise<ExitCode | Refusal> {
  const { file, word: address } = lastWord(session.args);
  const opened = await stateOf(session, file);
  if (!opened.ok) return opened.error;
  const node = findNode(opened.value.state, address);
  if (!node) {
    const detail = `${address} is not in the state. \`campaign state list\` names what is.`;
    return refusal(EXIT.usage, { code: 'unknown-address', summary: 'No such node', detail });
  }
  const shown = snakeCase(node) as object;
  session.output.answer(shown, `${jsonText(shown, 2)}\n`);
  return EXIT.ok;
}

async function stateOf(session: Session, file: string): Promise<Result<OpenState, Refusal>> {
  const campaign = await loadFor(session, file);
  return campaign.ok ? lookAtState(session.runtime, campaign.value) : campaign;
}

/** A node as the state keeps it; a medium or download with all its takes, or with the one that `@n` names. */
function findNode(state: RunState, address: string): object | undefined {
  const stored = storedAs(address);
  if (stored === 'request') return state.requests.get(address);
  if (stored !== 'take' && stored !== 'files') {
    const object = state.objects.get(address);
    return object && { ...object, versions: Object.fromEntries(object.versions) };
  }
  const { address: plain, take } = splitTake(mediaOf(address));
  const media = state.media.get(plain);
  const takes = media?.takes.filter(({ n }) => take === undefined || n === take);
  if (!takes?.length) return undefined;
  if (stored === 'take') return { ...media, takes };
  return { address, takes: takes.map(({ n, files }) => ({ n, files: files ?? [] })) };
}

/** Members whose names come from the user or the service: they are left as they are. */
const FOREIGN = new Set(['inputs', 'versions', 'metadata', 'items']);

/** Member names in the style of all other JSON: `requestedAt` becomes `requested_at`. */
function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      FOREIGN.has(name) && !Array.isArray(member) ? member : snakeCase(member),
    ]),
  );
}
