/** A `campaign` for the scripts of a shell that runs in this process: most of what a command takes is its start. */
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { runHere } from './run-here.ts';

interface Call {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

/** Writes the program `campaign` into the folder; it has no standard input. `env` is for it alone. */
export async function commandInShell(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ close(): Promise<void> }> {
  const server = createServer((socket) => {
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
      const call = readCall(received);
      if (call) void answer({ ...call, env: { ...call.env, ...env } }, socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const command = join(folder, 'campaign');
  await writeFile(command, programFor(port));
  await chmod(command, 0o755);
  return {
    async close() {
      await once(server.close(), 'close');
    },
  };
}

/** Asks with variables, an empty field, the folder, the number of words, and these; is told what to say on which stream. */
function programFor(port: number): string {
  return `#!/usr/bin/env bash
exec 3<>/dev/tcp/127.0.0.1/${port}
{ env -0; printf '\\0'; printf '%s\\0' "$PWD" "$#" "$@"; } >&3
while read -r what number <&3; do
  if [ "$what" = exit ]; then exit "$number"; fi
  head -c "$number" <&3 >&"$what"
done
exit 70
`;
}

/** Undefined until all has come. */
function readCall(text: string): Call | undefined {
  const fields = text.split('\0');
  const end = fields.indexOf('');
  const [cwd, count, ...words] = fields.slice(end + 1);
  // Behind the last field stands the beginning of the next, which is empty.
  if (end < 0 || cwd === undefined || count === undefined || words.length <= Number(count)) return undefined;
  const variables = fields.slice(0, end).map((field) => {
    const at = field.indexOf('=');
    return [field.slice(0, at), field.slice(at + 1)];
  });
  return { cwd, env: Object.fromEntries(variables), args: words.slice(0, Number(count)) };
}

async function answer({ args, ...options }: Call, socket: Socket): Promise<void> {
  try {
    const { code } = await runHere(args, {
      ...options,
      heard: (stream, text) => {
        socket.write(`${stream === 'stdout' ? 1 : 2} ${Buffer.byteLength(text)}\n${text}`);
      },
    });
    socket.end(`exit ${code}\n`);
  } catch (error) {
    // A bug, as for the program itself.
    socket.end(`exit 70\n`);
    console.error(error);
  }
}
