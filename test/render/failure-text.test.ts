import { expect, it } from 'vitest';
import { diagnosticText } from '../../src/render/diagnostic-text.ts';
import type { Failure } from '../../src/model/failure.ts';
import { failureDiagnostics, type Quote } from '../../src/render/failure-text.ts';
import { PLAIN } from '../support/plain-style.ts';

const quote: Quote = (source) => ({
  position: { file: 'm.yaml', line: Number(source), column: 9, length: 3 },
  sourceLine: `      - { key: ${source} }`,
});

const text = (failures: readonly Failure[], target = '') =>
  failureDiagnostics(failures, { quote, target })
    .map((diagnostic) => diagnosticText(diagnostic, PLAIN))
    .join('\n');

const failed = (n: number, detail: string): Failure => ({
  address: `media/grid/${n}@2`,
  end: 'failed',
  problem: { summary: 'The generation failed', detail },
  source: String(n + 10),
});

it('what failed alike is told once, at the first place, with the first few addresses', () => {
  const many = Array.from({ length: 200 }, (_, n) => failed(n, 'Status failed: too dark'));
  expect(
    text([...many, failed(7, 'Status failed: too bright')]),
  ).toBe(`error: The generation failed [media-failed]
  at m.yaml:10:9
     |
  10 |       - { key: 10 }
     |         ^^^
  too dark
  media/grid/0, media/grid/1 at m.yaml:11, media/grid/2 at m.yaml:12 and 197 more
  It may have been made: for 30 days every run rechecks it. --retry-failed rechecks it too, and then requests another one; \`campaign resolve media/grid/0 --skip\` gives it up.

error: The generation failed [media-failed]
  at m.yaml:17:9
     |
  17 |       - { key: 17 }
     |         ^^^
  too bright
  media/grid/7
  It may have been made: for 30 days every run rechecks it. --retry-failed rechecks it too, and then requests another one; \`campaign resolve media/grid/7 --skip\` gives it up.
`);
});

it('says of each kind of failure what to do', () => {
  const problem = { summary: 'No', detail: 'really\nno' };
  expect(
    text([
      { address: 'product/tote', end: 'rejected', problem },
      { address: 'upload/0123456789abcdef', end: 'failed', problem },
      { address: 'product/mug', end: 'skipped', problem },
      { address: 'media-config/hero@1', end: 'unknown', problem },
      { address: 'media/hero/1@1', end: 'lost', problem: { summary: 'The post is gone' } },
      { address: 'download/hero/1@1', end: 'failed', problem },
    ]),
  ).toBe(`error: No [product-rejected]
  really no
  product/tote
  Nothing was made. Mend what is refused: the next run asks again.

error: No [upload-failed]
  really no
  upload/0123456789abcdef
  The next run tries again.

error: No [product-skipped]
  really no
  product/mug

error: No [media-config-unknown]
  really no
  media-config/hero@1
  It may exist at the service. Decide: \`campaign resolve media-config/hero@1\` asks, or takes --id UUID, --not-created or --skip.

error: The post is gone [media-lost]
  media/hero/1
  It may have been made: for 30 days every run rechecks it. --retry-failed rechecks it too, and then requests another one; \`campaign resolve media/hero/1 --skip\` gives it up.

error: No [download-failed]
  really no
  download/hero/1
  The post is generated, only its file is missing: the next run fetches it.
`);
});

it('names the campaign as the user did, so that the advice can be typed', () => {
  const unknown: Failure = { address: 'product/tote', end: 'unknown', problem: { summary: 'No' } };
  expect(text([unknown], "'my range.yaml' --env stage")).toContain(
    "Decide: `campaign resolve 'my range.yaml' --env stage product/tote` asks, or takes --id UUID, --not-created or --skip.\n",
  );
});
