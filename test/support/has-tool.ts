import { spawnSync } from 'node:child_process';

/** Whether a program of the system is here; where it is not, it is said loudly that tests are skipped for it. */
export function hasTool(tool: keyof typeof PACKAGES): boolean {
  if (spawnSync(tool, ['--version']).status === 0) return true;
  console.warn(
    `\n  TESTS ARE SKIPPED: no ${tool} here. On Debian \`apt-get install ${PACKAGES[tool]}\` brings it.\n`,
  );
  return false;
}

const PACKAGES = {
  strace: 'strace',
  prlimit: 'util-linux',
  pgbouncer: 'pgbouncer',
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
} as const;
