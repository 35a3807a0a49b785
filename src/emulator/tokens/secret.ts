import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The signing key of a data folder, made at the first start, so that tokens outlive the process, as those of a real
 * service.
 */
export function loadSecret(dataDir: string): Uint8Array {
  const path = join(dataDir, 'token-secret');
  try {
    return Buffer.from(readFileSync(path, 'utf8'), 'hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // Never taken from the injected randomness, because anybody could compute the keys that a seeded one gives.
  const secret = randomBytes(32);
  writeFileSync(`${path}.part`, secret.toString('hex'), { mode: 0o600 });
  renameSync(`${path}.part`, path);
  return secret;
}
