import type { Environment } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';

export function hostOf({ baseUrl }: Environment): string {
  return baseUrl === EMULATOR ? 'embedded emulator' : new URL(baseUrl).host;
}
