import { expect, it } from 'vitest';
import { type ManifestEnd, notStarted, summaryOf } from '../../src/model/command-summary.ts';
import { EXIT, type ExitCode, outcomeOf } from '../../src/model/exit.ts';
import { NO_NODES } from '../../src/model/node-counts.ts';
import { summaryText } from '../../src/render/summary-text.ts';
import { PLAIN } from '../support/plain-style.ts';

const ended = (manifest: string, exit: ExitCode, created = 0): ManifestEnd => ({
  manifest,
  campaign: manifest.slice(0, 1),
  environment: 'stage',
  outcome: outcomeOf(exit),
  exit_code: exit,
  nodes: { ...NO_NODES, created },
});

it('sums the counts, and takes the strongest exit code', () => {
  const order = [70, 76, 74, 130, 4, 77, 78, 65, 5, 1, 69, 75, 3, 0] as const;
  for (const [place, strongest] of order.entries()) {
    const ends = order.slice(place).map((exit, n) => ended(`m${n}.yaml`, exit, 2));
    const { exit_code, outcome, nodes } = summaryOf(ends.toReversed());
    expect([exit_code, outcome, nodes.created]).toEqual([strongest, outcomeOf(strongest), 2 * ends.length]);
  }
  expect(summaryOf([])).toEqual({ outcome: 'succeeded', exit_code: 0, nodes: NO_NODES, manifests: [] });
});

it('a manifest that was not started counts with what prevented it', () => {
  const summary = summaryOf([ended('a.yaml', EXIT.ok, 3), notStarted('b.yaml', EXIT.incomplete)]);
  expect(summary).toMatchObject({ outcome: 'incomplete', exit_code: 3, nodes: { created: 3 } });
});

it('lists those that did not succeed; of a quiet command those that were not started', () => {
  const ends = [
    ended('a.yaml', EXIT.invalidManifest),
    ended('b.yaml', EXIT.ok),
    ended('c.yaml', EXIT.failed),
    ended('d.yaml', EXIT.ok),
    notStarted('e\u0007.yaml', EXIT.sigint),
  ];
  const told = { total: '4 created.', style: PLAIN };
  expect(summaryText(summaryOf(ends), { ...told, isQuiet: false })).toBe(`
5 manifests: 2 succeeded, 1 invalid, 1 failed, 1 not started. 4 created.
  invalid      a · stage · a.yaml (65)
  failed       c · stage · c.yaml (1)
  not started  e.yaml
`);
  expect(summaryText(summaryOf(ends), { ...told, isQuiet: true })).toBe('  not started  e.yaml\n');
  expect(summaryText(summaryOf(ends.slice(0, 4)), { ...told, isQuiet: true })).toBe('');
});
