/** Times as people read them. */

/** `2026-11-22 14:30 UTC`; a text that is no time is shown as it is. */
export function momentText(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  const text = new Date(time).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
}
