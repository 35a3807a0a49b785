import type { NotOwn } from '../files/own-place.ts';
import type { Problem } from '../model/problem.ts';

/** What is said of a recorded file that campaign leaves alone because of its path. */
export function notOwn(file: string, why: NotOwn): Problem {
  if (why === 'hidden')
    return {
      summary: 'Its path has a name that campaign gives no result',
      detail: `${file}: a name that begins with a dot, and one that ends in .jsonl, .json, .yaml, .csv or .tsv, is of no result, so it is left alone. Was the state edited?`,
    };
  return {
    summary: 'Its path leads out of the folder of the manifest',
    detail: `${file} is not below outputs.dir either. If that is meant, say --allow-outside`,
  };
}
