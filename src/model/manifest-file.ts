/** Instead of a path: the manifest comes on standard input. Its paths are relative to the present folder. */
export const STDIN = '-';

export function shownFile(file: string): string {
  return file === STDIN ? '<stdin>' : file;
}
