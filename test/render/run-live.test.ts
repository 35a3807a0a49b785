import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { type Plan, type PlannedNode, PlannedNodes } from '../../src/model/plan.ts';
import type { RunEvent } from '../../src/model/run-event.ts';
import { createLiveRenderer } from '../../src/render/run-live.ts';
import type { Style } from '../../src/render/style.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { PLAIN } from '../support/plain-style.ts';
import * as nodes from '../support/planned-nodes.ts';
import { createScreen } from '../support/screen.ts';

const COLOURS = createColors(true);

const POSTS = Array.from({ length: 20 }, (_, n) => `grid/night+mug-${n}+1x1`);
const ITEMS = Array.from({ length: 12 }, (_, n) => String(n + 1));

function imagesOf(post: string) {
  const request = nodes.requestNode(post, { posts: 12 });
  const items = ITEMS.map((item) => ({ item, payload: { post_type: 'image' } }));
  return { ...request, payload: { ...request.payload, items } } as unknown as PlannedNode;
}

/** 34 uploads, products, concepts and requests, and 240 posts. */
const PLAN = {
  nodes: new PlannedNodes([
    ...ITEMS.map((name) => nodes.uploadNode(name)),
    nodes.productNode('mug'),
    nodes.conceptNode('night'),
    ...POSTS.map((post) => imagesOf(post)),
    ...POSTS.flatMap((post) =>
      ITEMS.flatMap((item) => [nodes.mediaNode(post, item), nodes.downloadNode(post, item)]),
    ),
  ]),
  cost: { amount: 24, currency: 'EUR', prices: { image: 0.1 }, limits: [] },
} as unknown as Plan;

type WhenStopped = NonNullable<Parameters<typeof createLiveRenderer>[0]['whenStopped']>;

interface PlayOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly isUnicode?: boolean;
  readonly style?: Style;
  readonly plan?: Plan;
  readonly whenStopped?: WhenStopped;
}

function play({
  columns = 80,
  rows = 30,
  isUnicode = true,
  style = PLAIN,
  plan = PLAN,
  whenStopped,
}: PlayOptions = {}) {
  const screen = createScreen(columns, rows);
  const clock = createManualClock();
  const renderer = createLiveRenderer({
    stream: screen.stream,
    style,
    isUnicode,
    clock,
    plan,
    mediaInFlight: 200,
    usualMs: 45_000,
    ...(whenStopped && { whenStopped }),
  });
  const show = (...events: readonly RunEvent[]) => events.forEach((event) => renderer.show(event));
  return {
    screen,
    clock,
    show,
    close: () => renderer.close(),
    /** The posts of a request are being generated. */
    requested: (post: string): void => {
      show(started(`media-config/${post}@1`), finished(`media-config/${post}@1`));
      for (const item of ITEMS) show(started(`media/${post}/${item}@1`));
    },
    generated: (post: string, item: string, ms: number): void => {
      show(finished(`media/${post}/${item}@1`, { ms }), started(`download/${post}/${item}@1`));
    },
    downloaded: (post: string, item: string) =>
      show(finished(`download/${post}/${item}@1`, { files: [`out/${post}/${item}.png`] })),
  };
}

type Kind = Extract<RunEvent, { type: 'node-started' }>['kind'];
type Finished = Extract<RunEvent, { type: 'node-finished' }>;
const kindOf = (address: string) => address.split('/')[0] as Kind;
const started = (address: string): RunEvent => ({
  type: 'node-started',
  address,
  kind: kindOf(address),
  attempt: 1,
});
const finished = (address: string, more: Partial<Finished> = {}): RunEvent => ({
  type: 'node-finished',
  address,
  kind: kindOf(address),
  action: 'create',
  end: 'done',
  ms: 400,
  ...more,
});
const [FIRST = '', SECOND = '', ...OTHERS] = POSTS;

/** What somebody sees who looks now and then; each part goes on from the one before. */
const STORY: readonly (readonly [name: string, goOn: (run: ReturnType<typeof play>) => Promise<void>])[] = [
  [
    'uploading',
    async ({ show, clock }) => {
      show(...ITEMS.map((name) => started(`upload/${name}`)), started('concept/night'));
      show(...ITEMS.slice(0, 5).map((name) => finished(`upload/${name}`)));
      await clock.advance(1_000);
    },
  ],
  [
    '200 waiting',
    async ({ requested, generated, downloaded, show, clock }) => {
      show(...ITEMS.slice(5).map((name) => finished(`upload/${name}`)), finished('concept/night'));
      show(started('product/mug'), finished('product/mug'));
      POSTS.slice(0, 17).forEach(requested);
      for (const item of ITEMS.slice(0, 4)) {
        await clock.advance(10_000);
        generated(SECOND, item, 40_000);
        downloaded(SECOND, item);
      }
      for (const item of ITEMS.slice(4, 8)) generated(SECOND, item, 41_000);
      await clock.advance(60_000);
    },
  ],
  [
    'throttled',
    async ({ show, clock }) => {
      const problem = { summary: 'the service asks to wait', status: 429 };
      const address = `media-config/${OTHERS.at(-1)}@1`;
      show({ type: 'load-changed', state: 'throttled', at_once: 5, of: 8 });
      show({ type: 'node-waiting', address, kind: 'media-config', why: 'throttled', ms: 2_000, problem });
      await clock.advance(48_000);
      show({ type: 'load-changed', state: 'throttled', at_once: 3, of: 8 });
      await clock.advance(1_000);
    },
  ],
  [
    'one failed, one unknown',
    async ({ show, clock }) => {
      const failed = { problem: { summary: 'content policy' }, file: 'campaign.yaml', line: 31 } as const;
      show({ type: 'load-changed', state: 'normal' });
      show(finished(`media/${FIRST}/1@1`, { end: 'failed', ms: 90_000, ...failed }));
      const unknown = { summary: 'no answer came', detail: 'the connection was cut' };
      show(started(`media-config/${OTHERS.at(-1)}@1`));
      show(finished(`media-config/${OTHERS.at(-1)}@1`, { end: 'unknown', problem: unknown }));
      show(...ITEMS.map((item) => finished(`media/${OTHERS.at(-1)}/${item}@1`, { end: 'blocked', ms: 0 })));
      await clock.advance(1_000);
    },
  ],
  [
    'outage',
    async ({ show, clock }) => {
      const problem = { summary: 'the service does not answer', detail: 'connect ECONNREFUSED' };
      const address = `media/${FIRST}/2@1`;
      show({ type: 'load-changed', state: 'outage' });
      await clock.advance(20_000);
      show({ type: 'node-waiting', address, kind: 'media', why: 'retry', ms: 5_000, problem });
      await clock.advance(1_000);
    },
  ],
  [
    'Ctrl-C',
    async ({ show, clock }) => {
      show({ type: 'load-changed', state: 'normal' });
      show({ type: 'run-stopping', awaited: 3, creates: 2, ms: 20_000 });
      await clock.advance(2_000);
    },
  ],
];

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`);
const BLOCK = /^ {2}posts /gm;

function withoutTimes(text: string): string {
  return text.replaceAll(/\d+:\d\d/g, '0:00');
}

describe('the live block', () => {
  it.each([
    [40, true],
    [80, true],
    [200, true],
    [80, false],
  ])('shows each part of a run at %i columns, Unicode: %s', async (columns, isUnicode) => {
    const run = play({ columns, isUnicode });
    let seen = '';
    for (const [name, goOn] of STORY) {
      await goOn(run);
      const text = await run.screen.text();
      seen += `== ${name}\n${text}`;
      const lines = text.split('\n');
      const block = lines.slice(lines.findIndex((line) => line.startsWith('  posts ')));
      for (const line of block) expect(line.length).toBeLessThan(columns);
    }
    run.close();
    seen += `== end\n${await run.screen.text()}`;
    expect(run.screen.written.join('')).not.toMatch(COLOUR);
    await expect(seen).toMatchFileSnapshot(`screens/live-${columns}${isUnicode ? '' : '-ascii'}.txt`);
  });

  it.each([
    ['plain', PLAIN, true],
    ['in colour', COLOURS, true],
    ['without Unicode', PLAIN, false],
  ])(
    'is there once after the terminal was made narrower and wider, and goes away at its end: %s',
    async (_, style, isUnicode) => {
      const run = play({ style, isUnicode });
      POSTS.slice(0, 17).forEach(run.requested);
      await run.clock.advance(1_000);
      const before = await run.screen.text();
      await run.screen.resize(40);
      const narrow = await run.screen.text();
      await run.screen.resize(80);
      expect(await run.screen.text()).toBe(before);
      for (const text of [before, narrow]) expect(text.match(/^ {2}posts /gm)).toHaveLength(1);
      const empty = isUnicode ? '░░' : '....';
      expect(before).toContain(empty);
      expect(narrow).not.toContain(empty);
      run.close();
      expect((await run.screen.text()).trim()).toBe('');
    },
  );

  it('is there once, and nothing else, when somebody types meanwhile', async () => {
    const run = play({ rows: 16 });
    for (const post of POSTS.slice(0, 17)) run.requested(post);
    await run.clock.advance(1_000);
    run.show({ type: 'warning', summary: 'a mark' });
    await run.clock.advance(1_000);
    const before = await run.screen.text();
    for (const keys of ['\r\n', 'ls -l\r\n', `${'x'.repeat(90)}\r\n`, '\r\n\r\n\r\n']) {
      run.screen.typed(keys);
      await run.clock.advance(1_000);
    }
    expect(withoutTimes(await run.screen.text())).toBe(withoutTimes(before));
    run.close();
    expect(await run.screen.text()).toBe('  ! a mark\n');
  });

  it('goes away when the process is stopped, and is drawn anew, below what came since, when it goes on', async () => {
    let told: Parameters<WhenStopped>[0] | undefined;
    let isFollowed = true;
    const unfollow = () => {
      isFollowed = false;
    };
    const run = play({
      whenStopped: (stopped) => {
        told = stopped;
        return unfollow;
      },
    });
    await run.clock.advance(1_000);
    run.requested(FIRST);
    await run.clock.advance(1_000);
    told?.before();
    expect((await run.screen.text()).trim()).toBe('');
    run.screen.typed('$ fg\r\n');
    told?.after();
    expect(await run.screen.text()).toMatch(/^\$ fg\n {2}posts /);
    run.screen.typed('others write, too\r\n');
    told?.after();
    await run.clock.advance(1_000);
    expect((await run.screen.text()).match(BLOCK)).toHaveLength(2);
    run.close();
    expect(isFollowed).toBe(false);
  });

  it.each([
    [80, 10],
    [40, 10],
    [80, 5],
    [40, 3],
  ])(
    'never scrolls on a terminal of %i × %i, and says to the last what a stop waits for',
    async (columns, rows) => {
      const run = play({ columns, rows });
      for (const [, goOn] of STORY.slice(0, 3)) await goOn(run);
      run.show({ type: 'run-stopping', awaited: 1, creates: 0, ms: 20_000 });
      await run.clock.advance(2_000);
      const lines = (await run.screen.text()).trimEnd().split('\n');
      expect(lines.length).toBeLessThan(rows);
      expect(lines[0]).toMatch(/^ {2}posts /);
      if (rows > 3) expect(lines.join('\n')).toContain('waiting for 1 create or');
      expect(run.screen.terminal.buffer.active.baseY).toBe(0);
    },
  );

  it('counts after Ctrl-C how many creates and updates are still waited for', async () => {
    const run = play();
    run.show(
      started('product/mug'),
      started('concept/night'),
      started('media-config/x@1'),
      started('upload/1'),
    );
    run.show({ type: 'run-stopping', awaited: 3, creates: 2, ms: 20_000 });
    const stopping = async () => {
      await run.clock.advance(1_000);
      return /stopping +(.*), at most 0:1\d\n +(.*)\n/.exec(await run.screen.text())?.slice(1);
    };
    run.show(finished('upload/1', { end: 'put-off' }), finished('product/tote', { action: 'update' }));
    const risk = 'Ctrl-C again ends now; unanswered creates need `campaign resolve`';
    expect(await stopping()).toEqual(['waiting for 3 creates or updates', risk]);
    run.show(finished('media-config/x@1'), finished('concept/night', { end: 'unknown' }));
    expect(await stopping()).toEqual(['waiting for 1 create or update', 'Ctrl-C again ends now']);
    run.show(finished('product/mug', { action: 'update' }));
    await run.clock.advance(1_000);
    expect(await run.screen.text()).toContain('  stopping  no create or update is under way\n');
  });

  it('breaks long and wide causes between words, and shows a run without posts or prices', async () => {
    const few = { nodes: new PlannedNodes([nodes.uploadNode('1'), nodes.productNode('mug')]) };
    const run = play({ columns: 60, plan: few as unknown as Plan });
    const summary = '写真に商品が 写っていません。 別の写真を お使いください。 🙂 it cannot be used';
    run.show(started('upload/1'), finished('upload/1', { end: 'rejected', problem: { summary } }));
    run.show(started(`media/${'very-long-'.repeat(12)}/1@1`));
    await run.clock.advance(1_000);
    const text = await run.screen.text();
    expect(text).toMatchInlineSnapshot(`
      "  ✗ upload/1 rejected: 写真に商品が 写っていません。
          別の写真を お使いください。 🙂 it cannot be used (0.4
          s)
        requests  1/2  1 failed
        waiting   1 generating, oldest:
                    0:01  media/very-long-ver…y-long-very-long-/1
      "
    `);
  });

  it('keeps its height when a row goes away', async () => {
    const run = play();
    run.requested(FIRST);
    await run.clock.advance(1_000);
    const lines = (await run.screen.text()).trimEnd().split('\n').length;
    for (const item of ITEMS) run.generated(FIRST, item, 1_000);
    run.show(finished('upload/1', { end: 'rejected', problem: { summary: 'too large' } }));
    await run.clock.advance(1_000);
    // The cursor stands below the rows that are empty now.
    run.show({ type: 'warning', summary: 'a mark' });
    await run.clock.advance(1_000);
    const text = await run.screen.text();
    expect(text.split('\n').slice(0, 2)).toEqual(['  ✗ upload/1 rejected: too large (0.4 s)', '  ! a mark']);
    expect(run.screen.terminal.buffer.active.cursorY).toBe(2 + lines);
  });

  it('draws at most ten times a second, however much happens, and once a second where nothing does', async () => {
    const run = play();
    for (let ms = 0; ms < 1_000; ms += 5) {
      run.show(started(`upload/${ms}`));
      await run.clock.advance(5);
    }
    expect(run.screen.written.length).toBeLessThanOrEqual(11);
    const before = run.screen.written.length;
    await run.clock.advance(10_000);
    expect(run.screen.written.length - before).toBeLessThanOrEqual(11);
    run.close();
    expect(run.clock.pending).toBe(0);
  });

  it('names five of those that fail for one cause and counts all of them', async () => {
    const run = play();
    const problem = { summary: 'content policy' };
    for (const item of ITEMS) run.show(finished(`media/${FIRST}/${item}@1`, { end: 'failed', problem }));
    await run.clock.advance(1_000);
    const text = await run.screen.text();
    expect(text.match(/✗/g)).toHaveLength(5);
    expect(text).toContain('12 failed');
  });

  it('adds up what is done in one word, and says how many posts are left, by the word of the summary', async () => {
    const run = play({ columns: 120 });
    run.show(started('product/mug'), started('concept/night'));
    run.show(...ITEMS.map((item) => finished(`media/${FIRST}/${item}@1`, { end: 'put-off' })));
    await run.clock.advance(1_000);
    const text = await run.screen.text();
    expect(text).toContain('  2 creating\n');
    expect(text).toContain(' · 12 to request\n');
  });

  it('an age is yellow from twice the usual time on', async () => {
    const run = play({ style: COLOURS });
    run.requested(FIRST);
    const age = (text: string) => text.padStart(8);
    await run.clock.advance(90_000);
    expect(run.screen.written.at(-1)).toContain(`${age('1:30')}  media/${FIRST}/1`);
    await run.clock.advance(1_000);
    expect(run.screen.written.at(-1)).toContain(`${COLOURS.yellow(age('1:31'))}  media/${FIRST}/1`);
    run.close();
  });

  it('estimates nothing before five posts have ended', async () => {
    const run = play();
    run.requested(FIRST);
    for (const [index, item] of ITEMS.slice(0, 5).entries()) {
      await run.clock.advance(30_000);
      expect(await run.screen.text()).not.toContain('left');
      run.generated(FIRST, item, 30_000 * (index + 1));
    }
    await run.clock.advance(1_000);
    expect(await run.screen.text()).toContain('about 1 h 50 min left');
  });
});
