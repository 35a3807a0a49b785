export type GitEnd =
  | { readonly type: 'ended'; readonly code: number; readonly stderr: string }
  /** It could not be started, or it did not end in time. */
  | { readonly type: 'failed'; readonly why: string };

export interface GitCall {
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly longestMs: number;
  /** Gets standard output. */
  readonly take: (bytes: Buffer) => void;
}

/** Nothing that may hold a key. */
const HANDED_ON = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CEILING_DIRECTORIES',
];

/** git asks nobody, takes no lock, starts no program of the repository, and fetches no missing objects. */
const CAREFUL = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
};

/** Never rejects. */
export async function runGit({ folder, args, env, longestMs, take }: GitCall): Promise<GitEnd> {
  // Node loads 40 files of its own for it, which commands that ask git nothing need not wait for.
  const { spawn } = await import('node:child_process');
  const given = HANDED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const all = ['--no-pager', '--literal-pathspecs', '-C', folder, '-c', 'core.fsmonitor=false', ...args];
  return new Promise((resolve) => {
    const child = spawn('git', all, {
      env: { ...(Object.fromEntries(given) as NodeJS.ProcessEnv), ...CAREFUL },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    let stderr = '';
    child.stdout.on('data', take);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, 10_000);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ type: 'failed', why: error.code === 'ENOENT' ? 'git is not installed' : error.message });
    });
    child.on('close', (code) => {
      if (code === null) resolve({ type: 'failed', why: 'git did not answer in time' });
      else resolve({ type: 'ended', code, stderr });
    });
  });
}
