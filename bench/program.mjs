import { fileURLToPath } from 'node:url';

/** The folder of the built command. */
export const PROGRAM = fileURLToPath(new URL('../dist/', import.meta.url));
const CLI = `${PROGRAM}cli.js`;
export const SCRIPT = fileURLToPath(new URL('script.mjs', import.meta.url));

/** The command line of the program with these arguments. */
export function campaign(...args) {
  return [process.execPath, CLI, ...args];
}

/** The environment in which it talks to a service. */
export function environment(baseUrl) {
  return { CAMPAIGN_BASE_URL: baseUrl, CAMPAIGN_API_KEY: 'a-key-of-the-bench', CAMPAIGN_ENV: '' };
}
