/** Looks for a secret in whatever a program left behind, in every spelling in which text travels. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Of the files below a folder and the texts given by name: those that hold one of the secrets. */
export async function placesOf(
  secrets: readonly string[],
  { folder, texts }: { folder: string; texts: Readonly<Record<string, string>> },
): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const found: string[] = [];
  for (const file of files) {
    const name = relative(folder, file);
    if (holds(await readFile(file), secrets) || holds(Buffer.from(name), secrets)) found.push(name);
  }
  const said = Object.entries(texts).filter(([, text]) => holds(Buffer.from(text), secrets));
  return [...found, ...said.map(([name]) => name)].sort();
}

/** Whether bytes hold a secret as it is, escaped (URL, form, JSON, HTML, shell), as hex or within base64. */
export function holds(bytes: Buffer, secrets: readonly string[]): boolean {
  const text = bytes.toString('utf8');
  const readings = [text, ...UNESCAPED.map((unescape) => unescape(text)), ...decoded(text)];
  return secrets.some((secret) => {
    const hex = Buffer.from(secret).toString('hex');
    return (
      bytes.includes(secret) || readings.some((reading) => reading.includes(secret)) || text.includes(hex)
    );
  });
}

const UNESCAPED: readonly ((text: string) => string)[] = [
  fromUrl,
  (text) => fromUrl(text.replaceAll('+', ' ')),
  fromJson,
  // JSON that is a text within JSON.
  (text) => fromJson(fromJson(text)),
  fromHtml,
  (text) => text.replaceAll('\\', ''),
];

function fromUrl(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

function fromJson(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\(["\\/])/g, '$1');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function fromHtml(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');
}

/** What stands in base64, wherever in it a secret begins: only one of four starts is in step with the encoder. */
function* decoded(text: string): Generator<string> {
  const runs = text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? [];
  for (const offset of [0, 1, 2, 3])
    yield runs.map((run) => Buffer.from(run.slice(offset), 'base64').toString('utf8')).join('\n');
}
