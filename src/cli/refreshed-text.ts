import type { Refreshed } from '../app/refresh-campaign.ts';
import { reasonLines } from '../render/reason-text.ts';
import { problemText } from '../views/cause-words.ts';
import type { Style } from '../render/style.ts';
import { count, nonZero } from '../util/count.ts';

/** What is as it was is only counted. */
export function refreshedText(found: Refreshed, { plan, style }: { plan: string; style: Style }): string {
  const lines = [
    ...found.changed.flatMap(({ address, drift, was }) => [
      `  ${style.yellow('  ~')} ${address} was changed elsewhere`,
      ...reasonLines(
        Object.entries(drift).map(([field, to]) => ({
          summary: '',
          field,
          from: was[field] ?? null,
          to: typeof to === 'string' ? to : [...to],
        })),
        () => undefined,
        style,
      ).map((line) => `        ${line}`),
    ]),
    ...found.gone.map(
      ({ address, hasFiles }) =>
        `  ${style.red('  !')} ${address} is gone${hasFiles ? style.dim('  its files were downloaded, so it stays done') : ''}`,
    ),
    ...found.back.map((address) => `  ${style.green('  ✓')} ${address} is back`),
    ...found.unclear.map(
      ({ address, problem }) => `  ${style.yellow('  ?')} ${address} is not clear: ${problemText(problem)}`,
    ),
  ];
  const differs = found.changed.length + found.gone.length > 0;
  return [
    ...lines.map((line) => `${line}\n`),
    lines.length ? '\n' : '',
    `${sumText(found)}\n`,
    ...(differs
      ? [`\`${plan}\` shows what apply would do about it; \`--recreate-missing\` makes again what is gone.\n`]
      : []),
  ].join('');
}

function sumText(found: Refreshed): string {
  const { read, changed, gone, back, unclear, notReadable } = found;
  const same = read - changed.length - gone.length - back.length - unclear.length;
  const parts = [
    `${same} as ${same === 1 ? 'it was' : 'they were'}`,
    ...nonZero([
      [changed.length, 'changed elsewhere'],
      [gone.length, 'gone'],
      [back.length, 'back'],
      [unclear.length, 'not clear'],
    ]),
  ];
  const concepts = notReadable.length ? ` ${count(notReadable.length, 'concept')} not readable.` : '';
  return `Refresh complete: ${read} read, ${parts.join(', ')}.${concepts}`;
}

export function refreshedJson({ read, changed, gone, back, unclear, notReadable }: Refreshed): object {
  return {
    format_version: '1.0',
    read,
    changed: changed.map(({ address, drift, was }) => ({
      address,
      fields: Object.fromEntries(
        Object.entries(drift).map(([field, to]) => [field, { from: was[field], to }]),
      ),
    })),
    gone: gone.map(({ address, hasFiles }) => ({ address, has_files: hasFiles })),
    back,
    unclear: unclear.map(({ address, problem: { summary, detail } }) => ({ address, summary, detail })),
    not_readable: notReadable,
  };
}
