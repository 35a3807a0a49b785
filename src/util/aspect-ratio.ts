/** Width by height of `n:m`, in whole or decimal numbers above 0; undefined for any other text. */
export function aspectRatioOf(text: string): number | undefined {
  const [, width = '', height = ''] = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const ratio = Number(width) / Number(height);
  return ratio > 0 && ratio < Infinity ? ratio : undefined;
}
