import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { validateProfile } from '../../src/emulator/generated/validate.js';
import { SWITCHES } from '../../src/emulator/emulator.ts';
import { switchName } from '../../src/emulator/profiles/to-behaviour.ts';

const docs = readFileSync('docs/emulator.md', 'utf8');

interface Field {
  readonly properties: Record<string, { readonly const?: string; readonly enum?: readonly string[] }>;
}

const { $defs: defs } = JSON.parse(readFileSync('schemas/profile.schema.json', 'utf8')) as {
  $defs: {
    fault: { oneOf: Field[] };
    order: { properties: { when: Field } };
    switches: Field;
  };
};

/** The rows of the table with this head; words in backticks lose them. */
function rowsOf(head: string): string[][] {
  const lines = docs.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} |`)) + 2;
  const rows = lines.slice(
    start,
    lines.findIndex((line, index) => index > start && !line.startsWith('|')),
  );
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

function firstOf(head: string): (string | undefined)[] {
  return rowsOf(head).map(([first]) => first);
}

function faultNamed(name: string): Field | undefined {
  return defs.fault.oneOf.find(({ properties }) => properties['fault']?.const === name);
}

describe('docs/emulator.md', () => {
  it('has every profile, with its own description', () => {
    const profiles = readdirSync('profiles').map((file) => {
      const { description } = parse(readFileSync(`profiles/${file}`, 'utf8')) as { description: string };
      return [file.replace('.yaml', ''), description];
    });
    expect(new Map(rowsOf('profile').map(([name, text]) => [name, text]))).toEqual(
      new Map(profiles.map(([name, text]) => [name, text])),
    );
  });

  it('has every switch with its readings', () => {
    const rows = rowsOf('switch').map(([name, readings]) => [name, readings]);
    const known = Object.entries(SWITCHES).map(([name, values]) => [switchName(name), values.join(', ')]);
    expect(rows.slice(0, known.length)).toEqual(known);
    expect(firstOf('switch')).toEqual(Object.keys(defs.switches.properties));
  });

  it('has every condition', () => {
    expect(firstOf('key')).toEqual(Object.keys(defs.order.properties.when.properties));
  });

  it('has every fault with its keys', () => {
    const known = defs.fault.oneOf.map(({ properties: { fault, ...keys } }) => [
      fault?.const,
      Object.keys(keys).join(', '),
    ]);
    expect(rowsOf('fault').map(([name, keys]) => [name, keys])).toEqual(known);
  });

  it('has every body and every end of a post', () => {
    const sorted = (words: readonly unknown[] = []) => words.map(String).sort();
    expect(sorted(firstOf('body'))).toEqual(sorted(faultNamed('body')?.properties['body']?.enum));
    expect(firstOf('how')).toEqual(faultNamed('generation')?.properties['how']?.enum);
  });

  it('shows a profile that fits the schema', () => {
    const [, text = ''] = /```yaml my-day.yaml\n(.*?)```/s.exec(docs) ?? [];
    expect([validateProfile(parse(text)), validateProfile.errors]).toEqual([true, null]);
  });

  it('has every request of the control route', () => {
    const source = readFileSync('src/emulator/control/routes.ts', 'utf8');
    const routes = [...source.matchAll(/api\.(get|put|patch|delete)\('([^']+)'/g)].map(
      ([, method = '', path]) => `${method.toUpperCase()} /_control${path}`,
    );
    expect(new Set(firstOf('request'))).toEqual(new Set(routes));
  });
});
