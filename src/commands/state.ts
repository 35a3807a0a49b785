import { mediaOf, splitTake, storedAs } from '../model/address.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { RunState } from '../model/run-state.ts';
import { tableText } from '../render/table-text.ts';
import { listState } from '../views/list-state.ts';
import { jsonText } from '../util/inert-json.ts';
import { openNamedState } from '../app/named-state.ts';
import type { SharedOptions } from '../cli/options.ts';
import { refusal } from '../model/problem.ts';
import { createOutput, refuse } from '../cli/output.ts';

/** `campaign state list`: every node that the state knows. */
export async function stateList(file: string, options: SharedOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const opened = await openNamedState(file, options, output);
  if (!opened.ok) return refuse(opened.error, output);
  const rows = listState(opened.value.state);
  if (output.mode === 'json') output.json(rows);
  else {
    const cells = rows.map(({ address, status, id }) => [address, status, id ?? '']);
    output.result(tableText(['address', 'status', 'id'], cells));
  }
  return EXIT.ok;
}

/** `campaign state show ADDR`: all that the state knows of one node. */
export async function stateShow(file: string, address: string, options: SharedOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const opened = await openNamedState(file, options, output);
  if (!opened.ok) return refuse(opened.error, output);
  const node = findNode(opened.value.state, address);
  if (!node) {
    const detail = `${address} is not in the state. \`campaign state list\` names what is.`;
    return refuse(refusal(EXIT.usage, { code: 'unknown-address', summary: 'No such node', detail }), output);
  }
  const shown = snakeCase(node) as object;
  if (output.mode === 'json') output.json(shown);
  else output.result(`${jsonText(shown, 2)}\n`);
  return EXIT.ok;
}

/** A node as the state keeps it; a medium or download with all its takes, or the one that `@n` names. */
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

/** Names that are the user's or the service's own, not ours: they are left as they are. */
const FOREIGN = new Set(['inputs', 'versions', 'metadata', 'items']);

/** Our own member names as all other JSON has them: `requestedAt` is shown as `requested_at`. */
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
