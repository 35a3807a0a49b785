import { seal, seedOf } from '../../src/store/file/seal.ts';

/** The text of a state as somebody would leave it who changes what it says and computes its checksums anew. */
export function editedState(text: string, edit: (line: string) => string): string {
  const [header = '', ...records] = text.trimEnd().split('\n');
  const { lineage } = JSON.parse(header) as { lineage: string };
  let before = seedOf(lineage);
  return [header, ...records.map(edit)]
    .map((line) => {
      const sealed = seal(line.replace(/,"crc":"[0-9a-f]{8}"\}$/, ''), before);
      before = sealed.crc;
      return sealed.line;
    })
    .join('');
}
