import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checksFor, MACHINE_CHECKS } from '../../src/doctor/checks.ts';
import { membersOf, resolved } from './schema-tree.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const docs = readFileSync(join(ROOT, 'docs', 'service.md'), 'utf8');

/** Rows of the first table below a heading, as cells without their marks. */
function tableBelow(heading: string): string[][] {
  const [, section = ''] = docs.split(`\n## ${heading}\n`);
  const [table = ''] = /\n\|[^]*?\n\n/.exec(section) ?? [];
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`|`$/g, '')),
    );
}

const gaps = tableBelow('What the interface leaves open');
const idsOf = (title: string) =>
  checksFor({ files: 'file:///shared', state: 'in a database' })
    .filter((group) => group.title === title)
    .flatMap(({ checks }) => checks.map(({ id }) => id));

/** Settings under `service` for what the interface need not say. */
const NO_GAPS = ['environments', 'default_environment', 'max_upload_bytes', 'timeouts', 'tls'];

describe('docs/service.md', () => {
  it('has a row for each setting of a gap in the schema, and for no other', () => {
    const written = gaps.map(([, , setting = '']) => setting).filter((setting) => setting !== '–');
    const service = resolved({ $ref: '#/$defs/service' });
    const settings = membersOf(service, 'properties')
      .map(([name]) => name)
      .filter((name) => !NO_GAPS.includes(name));
    expect(settings).toHaveLength(7);
    expect(written.sort()).toEqual(settings.sort());
  });

  it('has a row for each line of doctor about a gap, by the name of the setting where there is one', () => {
    expect(gaps.map(([, , , check]) => check)).toEqual(idsOf('What the interface leaves open'));
    const named = gaps.filter(([, , setting]) => setting !== '–');
    expect(named.map(([, , , check]) => check)).toEqual(named.map(([, , setting]) => setting));
  });

  it('has a row for each other line of doctor, in its order', () => {
    const others = [
      ...MACHINE_CHECKS.checks.map(({ id }) => id),
      'manifest',
      ...idsOf('Files'),
      ...idsOf('Service'),
    ];
    expect(tableBelow('campaign doctor').map(([check]) => check)).toEqual(others);
  });
});
