import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Each is true with the emulator too, or is about what the program does at a service. */
const TRUE_EVERYWHERE = [
  /pays nothing|without paying|[Nn]othing is paid/g,
  /never pays for the same post twice/g,
  /You pay for each\./g,
];

/** Texts in the code, without comments: quoted, in templates, and between tags. */
function textsOf(code: string): string {
  const uncommented = code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
  const texts = uncommented.match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|>[^<>{}=;()]*<\//g) ?? [];
  return texts.map((text) => text.replaceAll(/\$\{[^}]*\}/g, ' ')).join('\n');
}

it('only code that knows whether it is about the emulator says that something is paid', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.includes('generated'),
  );
  const saying = files.filter((file) => {
    const code = readFileSync(join(SRC, file), 'utf8');
    const rest = TRUE_EVERYWHERE.reduce((texts, words) => texts.replaceAll(words, ''), textsOf(code));
    const says = /\b(paid|pays?|bought|buys?|billed)\b/i.test(rest);
    return says && !/\bisFree\b|=== EMULATOR|!== EMULATOR/.test(code);
  });
  expect(saying).toEqual([]);
});
