// Writes docs/reference.md. It asks the built command, so `npm run build` comes first.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { referenceText } from './reference-text.mjs';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const text = await referenceText((args) =>
  execFileSync(process.execPath, [cli, ...args], { encoding: 'utf8' }),
);
writeFileSync(new URL('../docs/reference.md', import.meta.url), text);
