/** Which variables hold a key. Their names are in manifests, which are read as text: they may be wrong. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const KEY_VARIABLE = /\bapi_key_env["']?\s*:\s*(?:[&!]\S*\s+)*["']?([A-Za-z_]\w*)/g;

/** The variables that the manifests at these places name; of a folder, its `campaign.yaml`. `others`: texts of manifests. */
export function namedKeys(places: readonly string[], others: readonly string[] = []): Set<string> {
  const read = places.flatMap((at) => [readText(at), readText(path.join(at, 'campaign.yaml'))]);
  const texts = [...read, ...others];
  return new Set(texts.flatMap((text) => [...text.matchAll(KEY_VARIABLE)].map(([, name = '']) => name)));
}

/** Empty where there is no such file. */
export function readText(file: string): string {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}
