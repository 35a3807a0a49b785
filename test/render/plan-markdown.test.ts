import fc from 'fast-check';
import { marked, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { codeText } from '../../src/render/markdown-text.ts';
import { planMarkdown, type ReviewedPlan } from '../../src/render/plan-markdown.ts';
import { inertText } from '../../src/util/inert-text.ts';
import { type Listed, type ListName, type PlanReview, reviewPlan } from '../../src/views/plan-review.ts';
import { HELD, locate, SAMPLE } from './plan-samples.ts';

const HOSTILE = [
  '</details>',
  '<img src=x onerror=alert(1)>',
  '<!-- campaign-plan: other -->',
  '@everyone',
  '@team/a',
  '#123',
  'GH-12',
  '!45',
  'https://evil.example/x',
  'www.evil.example',
  'a@evil.example',
  '[x](javascript:alert(1))',
  '![x](//evil.example/p.png)',
  '|',
  '||',
  '\\|',
  '\\',
  '`',
  '``',
  '```\n',
  '\n\n/close\n',
  '\r\n| a |\n',
  '$x$',
  ':tada:',
  '*a*',
  '\u202egnp.exe',
  '\u200f',
  '\u001b[2J',
  '&#64;team',
  '~~a~~',
  '# a',
  '- [ ] a',
  ' ',
  '朝',
] as const;

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 4 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

const LISTS = Object.keys(reviewPlan(SAMPLE, new Map(), []).lists) as ListName[];

function reviewOf(text: string, rows = 2): PlanReview {
  const reasons = [{ summary: text, field: text, from: text, to: text }];
  const row = {
    address: `media/hero/${text}`,
    type: text,
    ratio: text,
    products: [text, 'tote', text],
    captions: [text, text],
    photos: [text],
    reasons,
  };
  const group = { posts: rows, items: rows, rows: Array.from({ length: rows }, () => row) };
  const listed: Listed = { address: text, to: text, why: text, reasons };
  const lists = Object.fromEntries(LISTS.map((name) => [name, { total: 2, entries: [listed, listed] }]));
  return {
    plan: { newPosts: 24, replaced: 0, isFree: false, beyondBudget: [] },
    again: group,
    retried: 1,
    heldUp: 0,
    plans: [{ post: text, ...group }],
    lists: lists as unknown as PlanReview['lists'],
  };
}

function planned(name: string, review: PlanReview, more: Partial<ReviewedPlan> = {}): ReviewedPlan {
  return { name, environment: name, target: name, periods: { [name]: name }, review, locate, ...more };
}

/** Every token of a text, those inside of others included. */
function tokensOf(text: string): Token[] {
  const all: Token[] = [];
  void marked.walkTokens(marked.lexer(text), (token) => void all.push(token));
  return all;
}

const OWN_HTML =
  /^(?:<!-- campaign-plan: [\w ./:@+-]* -->|<\/?details>|<br>|<details><summary>[\w :,]+<\/summary>)\n*$/;

it('lets no text of others be anything but code', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const comment = planMarkdown({
        marker: text,
        plans: [planned(text, reviewOf(text)), planned('b', reviewOf('b', 14))],
        unplanned: [{ manifest: text, outcome: 'invalid (65)' }],
      });
      const tokens = tokensOf(comment);
      for (const token of tokens) {
        expect(['link', 'image', 'em', 'del', 'blockquote', 'code', 'checkbox', 'def', 'hr']).not.toContain(
          token.type,
        );
        if (token.type === 'html') expect(token.raw).toMatch(OWN_HTML);
        // What is no code, and no HTML, is ours; lines that begin with it are no commands of a code host.
        if (token.type === 'text' && !('tokens' in token && token.tokens))
          expect(token.raw).toMatch(/^(?:[\w :,;.…→()\n-]|&#124;)*$/);
      }
      const tags = tokens.filter(({ type }) => type === 'html').map(({ raw }) => raw);
      const count = (tag: string) => tags.filter((raw) => raw.startsWith(tag)).length;
      expect(count('</details>')).toBe(count('<details>'));
      const tables = tokens.filter(({ type }) => type === 'table');
      const columns = tables.map((table) => ('header' in table ? (table.header as unknown[]).length : 0));
      // Once for what is paid twice and once for the post plan, of both campaigns.
      expect(new Set(columns)).toEqual(new Set([inertText(text) ? 7 : 4, 7]));
      expect(tables).toHaveLength(6);
      expect(comment.split('\n').filter((line) => /^\s*[/@!<]/.test(line) && !OWN_HTML.test(line))).toEqual(
        [],
      );
    }),
    { numRuns: 25 },
  );
});

it('code shows what was written', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const html = marked.parseInline(codeText(text)) as string;
      const shown = html.replace(/<\/?code>/g, '').replaceAll('&#124;', '|');
      const plain = shown
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
      expect(plain.replaceAll(/\s/g, '')).toBe(inertText(text).replaceAll(/\s/g, ''));
    }),
    { numRuns: 300 },
  );
});

const comment = (review: PlanReview, more: Partial<ReviewedPlan> = {}) =>
  planMarkdown({ marker: 'spring stage', plans: [planned('spring', review, { periods: {}, ...more })] });

it('says posts and cost, then what is paid twice, then all else', () => {
  const withCost: Plan = {
    ...SAMPLE,
    cost: { currency: 'EUR', prices: { image: 0.1, video: 1.2, carousel: 0.3 }, amount: 1.4, limits: [] },
  };
  const orphans = [['product/old', undefined]] as const;
  expect(comment(reviewPlan(withCost, new Map(), orphans), { environment: 'stage' })).toMatchInlineSnapshot(`
    "<!-- campaign-plan: spring stage -->
    ### \`spring\` → \`stage\`: 4 posts to pay, 1.40 EUR

    **Paid twice: 1 finished post would be requested again, 0.10 EUR.**

    3 to make besides posts, 1 to update, 2 to move, 2 to delete, 2 waiting, 1 gone, 2 unknown.

    #### Paid twice: 1 finished post, 0.10 EUR

    | post | type | ratio | product | why |
    | --- | --- | --- | --- | --- |
    | \`hero/1\` | \`image\` | \`1:1\` | \`tote\` | \`product/tote changed (assets[0].product)\`<br>\`description: "Canvas" → "Natural canvas"  campaign.yaml:12\`<br>\`images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:13\` |

    #### Deleted at the service

    - \`media-config/gone@1\`: \`no longer named\`
    - \`product/gone\`: \`no longer named\`

    #### Unknown: \`campaign resolve\` decides

    - \`product/pen\`
    - \`media-config/twice@1\`

    #### Gone at the service

    - \`media/lost/1\`: \`Said no: The service said no.\`

    #### \`hero\`: 1 new post, 0.10 EUR

    | post | type | ratio | product |
    | --- | --- | --- | --- |
    | \`hero/3\` | \`image\` | \`9:16\` | \`cap\` |

    #### \`dark\`: 1 new post, 0.10 EUR

    | post | type | ratio | product |
    | --- | --- | --- | --- |
    | \`dark/1\` | \`image\` | \`1:1\` | \`mug\` |

    #### \`wall\`: 1 new post, 0.10 EUR

    | post | type | ratio | product |
    | --- | --- | --- | --- |
    | \`wall/2\` | \`image\` | \`1:1\` | \`mug\` |

    <details><summary>1 to update</summary>

    - \`product/tote\`: \`description: "Canvas" → "Natural canvas"  campaign.yaml:12\`; \`images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:13\`

    </details>

    <details><summary>3 to make besides posts</summary>

    - \`photos/new.jpg\`: \`upload/11507a0e2f5e69d5\`
    - \`product/cap\`
    - \`concept/night\`: \`tried again: Said no\`

    </details>

    <details><summary>2 to move</summary>

    - \`product/bag\` → \`product/sack\`
    - \`media/page/1\` → \`media/paper/1\`

    </details>

    <details><summary>2 waiting</summary>

    - \`media/wall/1\`: \`waits for product/pen\`
    - \`media/late/1@1\`: \`requested 2026-01-01T00:00:00.000Z\`

    </details>

    <details><summary>1 left alone: the manifest no longer names them</summary>

    - \`product/old\`

    </details>
    "
  `);
  expect(comment(reviewPlan(HELD, new Map(), []))).toContain('Nothing is paid twice.');
});

describe('fits into a comment', () => {
  const row = (n: number) => ({
    address: `media/grid/size+${n}/1`,
    type: 'image',
    ratio: '1:1',
    products: ['tote'],
    captions: ['|'.repeat(70)],
    photos: ['a.jpg'],
    reasons: [{ summary: 'retried' }],
  });
  const group = (items: number) => ({
    posts: items,
    items,
    rows: Array.from({ length: Math.min(items, 1_500) }, (_, n) => row(n)),
  });
  const empty: PlanReview = {
    plan: { newPosts: 0, replaced: 0, isFree: false, beyondBudget: [] },
    again: group(0),
    retried: 0,
    heldUp: 0,
    plans: [],
    lists: Object.fromEntries(
      LISTS.map((name) => [name, { total: 0, entries: [] }]),
    ) as unknown as PlanReview['lists'],
  };

  it('with 100,000 posts: what is paid twice goes first, and the rest is counted', () => {
    const text = comment({ ...empty, again: group(60_000), plans: [{ post: 'grid', ...group(40_000) }] });
    expect(text.length).toBeLessThanOrEqual(65_000);
    expect(text.length).toBeGreaterThan(60_000);
    const [, again = ''] = text.split('\n#### ');
    const rows = again.split('\n').filter((line) => line.startsWith('| `grid')).length;
    expect(rows).toBeGreaterThan(50);
    expect(again).toContain(`… and ${60_000 - rows} more posts.`);
    expect(text).toContain('\n… and 40000 more posts.');
    expect(text).toMatch(
      /\nThis comment holds at most 65,000 characters: `campaign plan spring --json` lists all of it\.\n$/,
    );
  });

  it('with 5,000 post plans, and with 900 campaigns, of which some have no changes or no plan', () => {
    const plans = Array.from({ length: 5_000 }, (_, n) => ({ post: `plan-${n}`, ...group(1) }));
    const many = comment({ ...empty, plans });
    expect(many.length).toBeLessThanOrEqual(65_000);
    expect(many).toMatch(/\n… and \d+ more lists with \d+ entries\.\n/);
    const busy = {
      ...empty,
      plan: { newPosts: 40, replaced: 0, isFree: false, beyondBudget: [] },
      plans: [{ post: 'grid', ...group(40) }],
    };
    const campaigns = (length: number) =>
      planMarkdown({
        marker: 'campaigns/ stage',
        plans: Array.from({ length }, (_, n) => planned(`c${n}`, n % 2 ? busy : empty, { periods: {} })),
        unplanned: Array.from({ length: 2 }, (_, n) => ({
          manifest: `broken-${n}.yaml`,
          outcome: 'invalid (65)',
        })),
      });
    const several = campaigns(900);
    expect(several.length).toBeLessThanOrEqual(65_000);
    expect(several.split('\n').slice(0, 12).join('\n')).toMatchInlineSnapshot(`
      "<!-- campaign-plan: campaigns/ stage -->
      ### 902 campaigns: 18000 new posts

      Nothing is paid twice.

      - \`broken-0.yaml\` has no plan: invalid (65)
      - \`broken-1.yaml\` has no plan: invalid (65)

      ### \`c1\` → \`c1\`: 40 new posts

      Nothing is paid twice.
      "
    `);
    expect(several.split('\n').slice(-5).join('\n')).toMatchInlineSnapshot(`
      "
      … and 106 more campaigns with changes.

      450 other campaigns without changes.
      "
    `);
    expect(campaigns(4)).toContain('\n2 other campaigns without changes.\n');
  });
});
