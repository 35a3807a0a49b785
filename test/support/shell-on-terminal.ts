import { spawn } from 'node:child_process';

/** How each shell starts without anybody's settings, and gets the completion and a prompt that stands nowhere else. */
const SHELLS = {
  bash: {
    command: 'bash --norc --noprofile -i',
    setUp: 'source <(campaign completion bash); PS1="REA""DY> "',
  },
  zsh: {
    command: 'zsh -f -i',
    setUp: 'autoload -Uz compinit; compinit -u -D; source <(campaign completion zsh); PS1="REA""DY> "',
  },
  fish: {
    command: 'fish --no-config -i',
    setUp: 'campaign completion fish | source; function fish_prompt; echo -n "REA""DY> "; end',
  },
} as const;

export type Shell = keyof typeof SHELLS;

/** Types lines at a shell, on a terminal of its own, each when the one before has ended; gives all that it has shown. */
export async function typeInShell(
  shell: Shell,
  { cwd, path }: { readonly cwd: string; readonly path: string },
  ...lines: readonly string[]
): Promise<string> {
  const { command, setUp } = SHELLS[shell];
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { PATH: path, HOME: cwd, HISTFILE: '/dev/null', TERM: 'xterm', LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  let read = 0;
  const left = [...lines, 'exit'];
  child.stdin.write(`${setUp}\n`);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const at = screen.indexOf('READY> ', read);
    const line = at < 0 ? undefined : left.shift();
    if (line === undefined) return;
    read = at + 1;
    child.stdin.write(`${line}\n`);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(screen));
  });
}
