/**
 * Opens a link in the browser of this person. Its secret must not stand in the list of processes, so the browser gets a
 * file that nobody else can read, which leads there.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeIgnoredFolder } from '../util/new-file.ts';

/** Programs that open what they are given with what the person has chosen for it. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', linux: 'xdg-open' };

interface Opening {
  readonly workFolder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The error says why nothing was opened. `forget` removes the file: by then the link was used. */
export async function openInBrowser(
  link: string,
  { workFolder, env }: Opening,
): Promise<{ readonly problem: string | undefined; forget(): Promise<void> }> {
  const program = OPENERS[process.platform];
  if (program === undefined) return { problem: 'no way to open one is known here', forget: async () => {} };
  const file = path.join(workFolder, `open-${randomBytes(8).toString('hex')}.html`);
  await makeIgnoredFolder(workFolder);
  await writeFile(file, pageTo(link), { flag: 'wx', mode: 0o600 });
  const problem = await started(program, file, env);
  return { problem, forget: () => rm(file, { force: true }) };
}

/** `link` is ours: it has no character that HTML would read otherwise. */
function pageTo(link: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link}">
<title>campaign</title>
<a href="${link}">Open the page</a>
`;
}

function started(program: string, file: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, [file], { detached: true, env, stdio: 'ignore' });
    child.on('error', ({ message }) => resolve(message));
    child.on('spawn', () => resolve(undefined));
    child.unref();
  });
}
