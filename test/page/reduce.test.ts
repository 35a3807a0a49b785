import { describe, expect, it } from 'vitest';
import { commandOf, type Focus, type Key } from '../../src/page/keys.ts';
import { isDimmed, type PageState, startPage } from '../../src/page/page-state.ts';
import { type Action, reduce } from '../../src/page/reduce.ts';
import { followsWords } from '../../src/page/said-words.ts';
import { shownPanes } from '../../src/page/reduce-view.ts';
import { facetCounts, postsInScope, type SheetFilter } from '../../src/page/sheet-filter.ts';
import { sheetData, sheetPost, sheetTake } from '../support/sheet-data.ts';

const AT = '2026-11-22T12:00:00.000Z';

/** Two post plans; `grid/2` has two takes, `grid/3` is a carousel, `grid/4` is not finished. */
const posts = [
  ...[1, 2, 3].map((number) => sheetPost(`hero/${number}`)),
  sheetPost('grid/1', { product: 'mug', concept: 'night', caption: 'Evening <b>light</b>' }),
  sheetPost('grid/2', {
    alsoShows: ['vase'],
    takes: [sheetTake('grid/2a'), sheetTake('grid/2', { take: 2 })],
  }),
  sheetPost('grid/3', {
    type: 'carousel',
    alsoSays: ['Second slide', 'Last words'],
    takes: [sheetTake('grid/3', { pictures: [0, 0, 0] })],
  }),
  sheetPost('grid/4', { status: 'pending', takes: [], product: null }),
];
const start = startPage(sheetData(posts));

/** What a person does: keys by their names, and whole actions. */
function walk(state: PageState, ...steps: readonly (string | Action)[]): PageState {
  return steps.reduce<PageState>((before, step) => {
    const command = typeof step === 'string' ? commandOf(keyOf(step), 'page', before, AT) : step;
    if (!command || command.type === 'search') throw new Error(`${JSON.stringify(step)} means nothing`);
    return reduce(before, command.type === 'hold-photo' ? { type: 'photo', isShown: true } : command);
  }, state);
}

function keyOf(name: string, changes: Partial<Key> = {}): Key {
  const parts = name.split('+');
  const key = parts.at(-1) ?? '';
  const [shiftKey, ctrlKey] = [parts.includes('Shift'), parts.includes('Ctrl')];
  const code = `Key${key.toUpperCase()}`;
  const rest = { metaKey: false, altKey: false, isAltGraph: false, isComposing: false };
  return {
    key: shiftKey && key.length === 1 ? key.toUpperCase() : key,
    code,
    shiftKey,
    ctrlKey,
    ...rest,
    ...changes,
  };
}

const verdicts = (state: PageState) =>
  [...state.decisions.all.values()].map(({ post, verdict, note }) => [post.slice(6), verdict, note]);
const answer = (text: string): Action => ({ type: 'answer', text, at: AT });
const filter = (changes: Partial<SheetFilter>): Action => ({
  type: 'filter',
  filter: { words: '', facets: {}, ...changes },
});

describe('moving', () => {
  const two = reduce(start, { type: 'columns', columns: 2 });

  it.each<[string, readonly string[], string]>([
    ['begins on the first picture', [], 'hero/1'],
    ['right', ['ArrowRight'], 'hero/2'],
    ['right, over a heading', ['End', 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight'], 'grid/1'],
    ['no further than the ends', ['ArrowLeft', 'ArrowUp'], 'hero/1'],
    ['the last', ['End', 'ArrowRight', 'ArrowDown'], 'grid/4'],
    ['down in its column', ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown'], 'grid/3'],
    ['a short row', ['ArrowRight', 'ArrowDown'], 'hero/3'],
    ['up', ['End', 'ArrowUp', 'ArrowUp'], 'hero/3'],
    ['left', ['End', 'ArrowLeft'], 'grid/3'],
  ])('%s', (_, keys, framed) => {
    expect(walk(two, ...keys).framed).toBe(`media/${framed}`);
  });

  it('selects with Shift, from where it began', () => {
    const one = walk(two, 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown');
    expect([...one.selection]).toEqual(['hero/2', 'hero/3', 'grid/1'].map((name) => `media/${name}`));
    const back = walk(one, 'Shift+ArrowUp', 'Shift+ArrowUp');
    expect([...back.selection]).toEqual(['media/hero/1', 'media/hero/2']);
    expect(walk(back, 'ArrowRight').selection.size).toBe(0);
    expect(walk(two, 'Ctrl+a').selection.size).toBe(posts.length);
    expect(walk(two, 'Ctrl+a', 'Escape').selection.size).toBe(0);
    const toggle = (post: string): Action => ({ type: 'frame', post, how: 'toggle' });
    const clicked = walk(two, toggle('media/grid/1'), toggle('media/hero/3'), toggle('media/hero/3'));
    expect([...clicked.selection]).toEqual(['media/hero/1', 'media/grid/1']);
  });
});

describe('judging', () => {
  it('is about the framed picture alone', () => {
    const one = walk(start, 'ArrowRight', 'p');
    expect([verdicts(one), one.framed]).toEqual([[['hero/2', 'approved', undefined]], 'media/hero/2']);
    expect(one.message).toBe('Approved media/hero/2.');
    expect(isDimmed(posts[1] ?? sheetPost(''), one)).toBe(true);
    expect(verdicts(walk(one, 'u'))).toEqual([]);
  });

  it('asks for the reason of a rejection once, also for several, and may get none', () => {
    const asked = walk(start, 'ArrowRight', 'Shift+ArrowRight', 'x');
    expect(asked.dialog).toMatchObject({ kind: 'ask', about: 'rejection', text: '' });
    expect(verdicts(asked)).toEqual([]);
    expect(verdicts(walk(asked, answer(' cut off ')))).toEqual([
      ['hero/2', 'rejected', 'cut off'],
      ['hero/3', 'rejected', 'cut off'],
    ]);
    expect(verdicts(walk(start, 'x', answer('')))).toEqual([['hero/1', 'rejected', undefined]]);
    expect(verdicts(walk(start, 'x', { type: 'dialog', dialog: null }))).toEqual([]);
    expect(verdicts(walk(start, 'p', 'n', answer('light'), 'x', answer('')))).toEqual([
      ['hero/1', 'rejected', undefined],
    ]);
    const again = walk(start, 'x', answer('dark'), 'x');
    expect(again.dialog).toMatchObject({ text: 'dark' });
    expect(verdicts(walk(again, answer('too dark')))).toEqual([['hero/1', 'rejected', 'too dark']]);
  });

  it('leaves out of several what was decided otherwise, unless each was chosen by itself', () => {
    const two = walk(start, 'p', 'ArrowRight', 'p');
    const asked = walk(two, 'Ctrl+a', 'x');
    expect(asked.dialog).toMatchObject({ targets: { length: 4 }, left: { length: 2 } });
    const rejected = walk(asked, answer('dark'));
    expect(verdicts(rejected).filter(([, verdict]) => verdict === 'approved')).toHaveLength(2);
    expect(rejected.message).toBe(
      'Rejected 4 posts. 2 approved posts are left out. To reject one, frame it alone, or select the posts one by one with Ctrl and a click. ' +
        '1 selected post is not finished.',
    );
    // An approval keeps the reasons of others in the same way.
    const approved = walk(rejected, 'Ctrl+a', 'p');
    expect([verdicts(approved), approved.message.split('.')[0]]).toEqual([
      verdicts(rejected),
      'Approved 2 posts',
    ]);
    expect(walk(two, 'Home', 'Shift+ArrowRight', 'x')).toMatchObject({
      dialog: null,
      message: expect.stringMatching(/^2 approved posts are left out\./) as string,
    });
    // Alone, in the large view, and with a click for each.
    expect(walk(two, 'x').dialog).toMatchObject({ targets: [{ post: 'media/hero/2' }], left: [] });
    expect(walk(two, 'Ctrl+a', 'Enter', 'x').dialog).toMatchObject({ targets: { length: 1 }, left: [] });
    const click = (post: string, how: 'only' | 'toggle' | 'extend'): Action => ({
      type: 'frame',
      post: `media/hero/${post}`,
      how,
    });
    const posts = (...clicks: Action[]) => {
      const { dialog } = walk(two, ...clicks, 'x');
      return dialog?.kind === 'ask' ? dialog.targets.map(({ post }) => post.slice(-1)) : [];
    };
    expect(posts(click('1', 'only'), click('2', 'toggle'), click('3', 'toggle'))).toEqual(['1', '2', '3']);
    // The frame was here already, and a range names none of its posts.
    expect(posts(click('3', 'toggle'), click('1', 'toggle'))).toEqual(['1', '3']);
    expect(posts(click('1', 'only'), click('3', 'extend'))).toEqual(['3']);
    expect(
      posts(click('3', 'only'), click('1', 'extend'), click('2', 'toggle'), click('2', 'toggle')),
    ).toEqual(['2', '3']);
  });

  it('leaves out what somebody else approves while the reason is typed', () => {
    const approval = { verdict: 'approved', note: null, by: 'anna', at: AT } as const;
    const theirs = posts.map((post) =>
      post.address === 'media/hero/1'
        ? { ...post, takes: [sheetTake('hero/1', { decision: approval })] }
        : post,
    );
    const asked = walk(start, 'x', { type: 'data', data: sheetData(theirs) });
    const rejected = walk(asked, answer('dark'));
    expect([verdicts(rejected), rejected.message.slice(0, 30)]).toEqual([
      [['hero/1', 'approved', undefined]],
      '1 approved post is left out. T',
    ]);
  });

  it('rejects more than ten only after another yes, and goes back with what was typed', () => {
    const many = Array.from({ length: 13 }, (_, n) => sheetPost(`hero/${n}`, { wanted: n > 0 }));
    const all = walk(startPage(sheetData(many)), filter({ others: true }), 'Ctrl+a', 'x', answer('dark'));
    expect([verdicts(all), all.dialog]).toMatchObject([[], { kind: 'confirm', approved: 0 }]);
    const { dialog } = all;
    expect(dialog?.kind === 'confirm' && followsWords(dialog.targets, all)).toBe(
      'The next apply requests 12 posts again, and pays for them: 1.20 EUR. ' +
        '1 post is not requested again, because the manifest does not ask for it now.',
    );
    const back = dialog?.kind === 'confirm' ? dialog.back : null;
    expect(walk(all, { type: 'dialog', dialog: back }).dialog).toMatchObject({ kind: 'ask', typed: 'dark' });
    const yes = walk(all, { type: 'confirm', at: AT });
    expect([verdicts(yes).length, verdicts(yes)[0], yes.dialog]).toEqual([
      13,
      ['hero/0', 'rejected', 'dark'],
      null,
    ]);
    expect(verdicts(walk(yes, 'Ctrl+z'))).toEqual([]);
  });

  it('asks before a file rejects many posts, or one that is approved', () => {
    const later = '2099-01-01T00:00:00Z';
    const file = (...names: string[]): Action => ({
      type: 'merge',
      file: names.map((name) => ({
        post: `media/${name}`,
        media: `medium of ${name}`,
        verdict: 'rejected',
        at: later,
      })),
    });
    const one = walk(start, 'p');
    expect(walk(one, file('hero/2')).message).toBe('Read 1 decision: 1 new.');
    const asked = walk(one, { type: 'dialog', dialog: { kind: 'export' } }, file('hero/1', 'hero/2'));
    expect([verdicts(asked), asked.dialog]).toMatchObject([
      [['hero/1', 'approved', undefined]],
      { kind: 'confirm', approved: 1, targets: { length: 2 }, back: { kind: 'export' } },
    ]);
    const read = walk(asked, { type: 'confirm', at: AT });
    expect(read).toMatchObject({
      dialog: { kind: 'export' },
      message: 'Read 2 decisions: 1 new, 1 newer than here.',
    });
  });

  it('says what a command did until the person goes on', () => {
    const all = walk(start, 'Ctrl+a');
    expect([all.message, walk(all, 'Escape').message]).toEqual(['7 posts are selected.', '']);
  });

  it('goes on with Shift, and says where the end is', () => {
    const one = walk(start, 'Shift+P', 'Shift+X', answer('dark'));
    expect([one.framed, verdicts(one).length]).toEqual(['media/hero/3', 2]);
    const selected = walk(start, 'Shift+ArrowRight', 'Shift+P');
    expect([selected.framed, selected.selection.size]).toEqual(['media/hero/3', 0]);
    const last = walk(start, filter({ words: 'hero' }), 'End', 'Shift+P');
    expect([last.framed, last.message]).toEqual([
      'media/hero/3',
      'Approved media/hero/3. This was the last picture.',
    ]);
  });

  it('says why there is nothing to judge', () => {
    const one = walk(start, 'End', 'p');
    expect([verdicts(one), one.message]).toEqual([
      [],
      'media/grid/4 is pending, so there is nothing to judge yet.',
    ]);
    expect(walk(start, 'End', 'x').dialog).toBeNull();
    const all = walk(start, 'Ctrl+a', 'p');
    expect([verdicts(all).length, all.message]).toEqual([
      6,
      'Approved 6 posts. 1 selected post is not finished.',
    ]);
    expect(walk(startPage(sheetData([])), 'p', 'Enter', 'ArrowDown').message).toBe(
      'There is no picture to judge.',
    );
  });

  it('undoes one step at a time, and frames what it was about', () => {
    const one = walk(start, 'Shift+P', 'Shift+P', 'End');
    const undone = walk(one, 'Ctrl+z');
    expect([undone.framed, undone.message]).toEqual(['media/hero/2', 'Undone: approved media/hero/2.']);
    expect(verdicts(undone)).toEqual([['hero/1', 'approved', undefined]]);
    expect(walk(undone, 'Ctrl+z', 'Ctrl+z').message).toBe('There is nothing to undo.');
    expect(verdicts(walk(start, 'Ctrl+a', 'p', 'Ctrl+z'))).toEqual([]);
  });
});

describe('the filter', () => {
  it.each<[string, Partial<SheetFilter>, readonly string[]]>([
    ['an address', { words: 'GRID/3' }, ['grid/3']],
    ['any text of a carousel', { words: 'last words' }, ['grid/3']],
    ['a caption as it is written', { words: '<b>light' }, ['grid/1']],
    ['a product that it also shows', { words: 'vase' }, ['grid/2']],
    ['the name of a product, and every word', { words: 'stoneware evening' }, ['grid/1']],
    ['a concept', { words: 'night' }, ['grid/1']],
    ['a product', { facets: { product: [''] } }, ['grid/4']],
    ['any of several, and all facets', { facets: { plan: ['grid'], status: ['pending'] } }, ['grid/4']],
    ['a format', { facets: { format: ['4:5 carousel', '1:1 video'] } }, ['grid/3']],
    ['nothing', { words: 'none of them' }, []],
  ])('finds %s', (_, changes, found) => {
    const { order } = walk(start, filter(changes)).sheet.grid;
    expect(order).toEqual(found.map((name) => `media/${name}`));
  });

  it('finds notes, also those without a verdict', () => {
    const noted = walk(start, 'ArrowRight', 'n', answer('Handle is cut'));
    expect(walk(noted, filter({ words: 'handle' })).sheet.grid.order).toEqual(['media/hero/2']);
  });

  it('keeps what was decided in its place until it is applied again', () => {
    const undecided = filter({ facets: { decision: ['undecided'] } });
    const one = walk(start, undecided, 'ArrowRight', 'p');
    expect([one.sheet.grid.order.length, one.framed]).toEqual([6, 'media/hero/2']);
    const again = walk(one, { type: 'apply-again' });
    expect([again.sheet.grid.order.length, again.framed]).toEqual([5, 'media/hero/3']);
    const grouped = walk(start, { type: 'group', facet: 'decision' }, 'p');
    const values = (state: PageState) => state.sheet.sections.map(({ value }) => value);
    expect(values(grouped)).toEqual(['undecided', '']);
    expect(values(walk(grouped, { type: 'apply-again' }))).toEqual(['undecided', 'approved', '']);
    expect(values(walk(start, { type: 'group', facet: 'product' }))).toEqual(['tote', 'mug', '']);
    expect(values(walk(start, { type: 'group', facet: 'status' }))).toEqual(['done', 'pending']);
  });

  it('keeps the framed picture where it is still there, else frames the nearest', () => {
    const at = walk(start, 'ArrowRight', 'ArrowRight');
    expect(walk(at, filter({ words: 'hero' })).framed).toBe('media/hero/3');
    expect(walk(at, filter({ words: 'grid' })).framed).toBe('media/grid/1');
    expect(walk(at, 'End', filter({ words: 'hero' })).framed).toBe('media/hero/3');
    expect(walk(at, filter({ words: 'nothing' }), filter({})).framed).toBe('media/hero/1');
  });

  it('shows what the manifest does not ask for now only on request, and counts it nowhere else', () => {
    const old = sheetPost('hero/2026-w46/1', { wanted: false });
    const data = sheetData([...posts, old]);
    const { order } = startPage(data).sheet.grid;
    expect(order).toEqual(start.sheet.grid.order);
    const counted = (changes: Partial<SheetFilter>) =>
      facetCounts('status', postsInScope({ words: '', facets: {}, ...changes }, data), startPage(data)).get(
        'done',
      );
    expect([counted({}), counted({ others: true })]).toEqual([6, 7]);
    expect(walk(startPage(data), filter({ others: true })).sheet.grid.order).toContain(old.address);
    const linked = walk(startPage(data), { type: 'go', to: { screen: 'sheet', post: old.address } });
    expect([linked.framed, linked.sheet.filter.others]).toEqual([old.address, true]);
    const only = { addresses: [old.address], words: 'newly finished' };
    expect(walk(startPage(data), filter({ only })).sheet.grid.order).toEqual([old.address]);
    // Nothing but these: an empty page would say less.
    expect(startPage(sheetData([old])).sheet.grid.order).toEqual([old.address]);
  });

  it('is set by links of other screens', () => {
    const coverage = walk(start, { type: 'go', to: { screen: 'coverage' } });
    expect(coverage.screen).toBe('coverage');
    const linked: SheetFilter = { words: '', facets: { concept: ['night'] } };
    const there = walk(coverage, { type: 'go', to: { screen: 'sheet', filter: linked, group: 'concept' } });
    expect([there.sheet.grid.order, there.sheet.facet]).toEqual([['media/grid/1'], 'concept']);
    // A post that the filter hides is shown all the same.
    const one = walk(there, { type: 'go', to: { screen: 'sheet', post: 'media/hero/2' } });
    expect([one.framed, one.sheet.grid.order.length]).toEqual(['media/hero/2', posts.length]);
  });
});

describe('the large view', () => {
  it('walks through the pictures, and closes where it is', () => {
    const one = walk(start, 'ArrowRight', 'Enter', 'z', 'ArrowRight', 'ArrowRight');
    expect([one.framed, one.zoom]).toEqual(['media/grid/1', { scale: 1, x: 0.5, y: 0.5 }]);
    expect(walk(one, 'p').view).toEqual({ kind: 'large', take: undefined, slide: 0 });
    expect(walk(one, 'Home').framed).toBe('media/hero/1');
    for (const key of ['Escape', ' ', 'Enter'])
      expect(walk(one, key)).toMatchObject({ view: null, framed: 'media/grid/1' });
    expect(walk(one, 'z').zoom).toBe('fit');
    expect(walk(one, 'b', '\\')).toMatchObject({ hasSlider: true, hasPhoto: true });
  });

  it('goes through the slides of a carousel, and begins with the first one in the next', () => {
    const one = walk(start, 'End', 'ArrowLeft', 'Enter', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    expect(one.view).toMatchObject({ slide: 2 });
    expect(walk(one, 'ArrowUp').view).toMatchObject({ slide: 1 });
    expect(walk(one, 'ArrowLeft', 'ArrowRight').view).toMatchObject({ slide: 0 });
  });

  it('does not judge older takes', () => {
    const older = walk(start, filter({ words: 'grid/2' }), 'Enter', { type: 'take', take: 0 }, 'p');
    expect([verdicts(older), older.message]).toEqual([
      [],
      'This is an older take. A verdict is always about the newest one.',
    ]);
    expect(verdicts(walk(older, { type: 'take', take: 1 }, 'p')).length).toBe(1);
  });

  it('is about the framed picture, whatever is selected on the sheet', () => {
    const one = walk(start, 'Shift+ArrowRight', 'Enter', 'p');
    expect(verdicts(one).map(([post]) => post)).toEqual(['hero/2']);
  });
});

describe('side by side', () => {
  it('shows the takes of a post, and judges the newest', () => {
    const one = walk(start, filter({ words: 'grid/2' }), 'Enter', 'c');
    expect(one.view).toMatchObject({ panes: [{ take: 0 }, { take: 1 }], active: 1 });
    expect(verdicts(walk(one, 'p')).length).toBe(1);
    expect(walk(one, 'ArrowLeft', 'x').dialog).toBeNull();
    expect(walk(one, 'Escape').view).toEqual({ kind: 'large', take: undefined, slide: 0 });
    expect(walk(one, 'c', 'Escape')).toMatchObject({ view: null, framed: 'media/grid/2' });
    expect(walk(start, 'c')).toMatchObject({
      view: null,
      message: expect.stringContaining('only one picture'),
    });
  });

  it('keeps a pinned pane, and steps through the others', () => {
    const one = walk(start, 'Shift+ArrowRight', 'Shift+ArrowRight', 'c');
    expect(one.framed).toBe('media/hero/3');
    const panes = (state: PageState) =>
      state.view?.kind === 'compare' ? shownPanes(state.view).map((index) => index + 1) : [];
    expect(panes(one)).toEqual([1, 2, 3]);
    const pinned = walk(one, 'Home', 'l');
    expect([panes(pinned), pinned.framed]).toEqual([[1, 2], 'media/hero/2']);
    expect(panes(walk(pinned, 'ArrowRight', 'ArrowRight'))).toEqual([1, 3]);
    expect(panes(walk(pinned, 'ArrowLeft'))).toEqual([1, 2]);
    expect(panes(walk(pinned, 'l'))).toEqual([1, 2, 3]);
    const judged = walk(pinned, 'Shift+P');
    expect([judged.framed, verdicts(judged).map(([post]) => post)]).toEqual(['media/hero/3', ['hero/2']]);
    expect(walk(judged, 'Escape')).toMatchObject({ view: null, framed: 'media/hero/3' });
    expect(panes(walk(start, 'Ctrl+a', 'c'))).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('a live page', () => {
  it('keeps all that the person did when the data change', () => {
    const mine = walk(start, filter({ facets: { status: ['done'] } }), 'ArrowRight', 'p', 'Enter', 'z', 'n');
    const grown = [
      sheetPost('new/1'),
      ...posts.map((post) => (post.address === 'media/hero/2' ? { ...post, caption: 'Other' } : post)),
      sheetPost('new/2', { status: 'pending' }),
    ];
    const next = reduce(mine, { type: 'data', data: sheetData(grown) });
    const { framed, view, zoom, dialog, decisions } = next;
    expect({ framed, view, zoom, dialog }).toEqual({
      framed: mine.framed,
      view: mine.view,
      zoom: mine.zoom,
      dialog: mine.dialog,
    });
    expect(decisions.all).toEqual(mine.decisions.all);
    expect(next.sheet.grid.order).toEqual(['media/new/1', ...mine.sheet.grid.order]);
    expect(next.posts.get('media/hero/2')?.caption).toBe('Other');
    // What is gone is left for the nearest one.
    const less = posts.filter(({ address }) => address !== 'media/hero/2');
    expect(reduce(mine, { type: 'data', data: sheetData(less) })).toMatchObject({
      framed: 'media/hero/3',
      view: null,
    });
    expect(reduce(mine, { type: 'data', data: sheetData([]) })).toMatchObject({
      framed: undefined,
      view: null,
    });
    expect(reduce(start, { type: 'notice', notice: 'The connection is lost.' }).notice).toBe(
      'The connection is lost.',
    );
  });
});

describe('keys', () => {
  it.each<[string, Key, Focus]>([
    ['Y, J and K', keyOf('y'), 'page'],
    ['J', keyOf('j'), 'page'],
    ['K', keyOf('k'), 'page'],
    ['typed text', keyOf('p'), 'text'],
    ['an input method', keyOf('p', { isComposing: true }), 'page'],
    ['printing', keyOf('Ctrl+p'), 'page'],
    ['the address bar', keyOf('Ctrl+l'), 'page'],
    ['opening the console', keyOf('Ctrl+Shift+c'), 'page'],
    ['redoing', keyOf('Ctrl+Shift+z'), 'page'],
    ['going back', keyOf('ArrowLeft', { altKey: true }), 'page'],
    ['the end of the page, in macOS', keyOf('ArrowDown', { metaKey: true }), 'page'],
    ['a button', keyOf('Enter'), 'button'],
    ['a slider', keyOf('ArrowRight'), 'control'],
    ['a video', keyOf(' '), 'control'],
    ['zoom, where nothing is large', keyOf('z'), 'page'],
    ['the pin, where nothing is compared', keyOf('l'), 'page'],
  ])('leave alone %s', (_, key, focus) => {
    expect(commandOf(key, focus, start, AT)).toBeUndefined();
  });

  it('mean nothing under an open dialog, and little on other screens', () => {
    const dialog = { kind: 'help' } as const;
    expect(commandOf(keyOf('p'), 'page', { ...start, dialog }, AT)).toBeUndefined();
    const elsewhere = { ...start, screen: 'coverage' } as const;
    expect(commandOf(keyOf('p'), 'page', elsewhere, AT)).toBeUndefined();
    expect(commandOf(keyOf('Ctrl+a'), 'page', elsewhere, AT)).toBeUndefined();
    expect(commandOf(keyOf('/'), 'page', elsewhere, AT)).toEqual({ type: 'search' });
    expect(commandOf(keyOf('?'), 'page', elsewhere, AT)).toMatchObject({ type: 'dialog' });
    expect(commandOf(keyOf('Ctrl+z'), 'page', elsewhere, AT)).toEqual({ type: 'undo' });
  });

  it('are found on other keyboards', () => {
    const cyrillic = { ...keyOf('p'), key: 'з' };
    expect(commandOf(cyrillic, 'page', start, AT)).toMatchObject({ type: 'approve', advances: false });
    expect(commandOf({ ...keyOf('p'), key: 'P' }, 'page', start, AT)).toMatchObject({ advances: false });
    const german = keyOf('\\', { ctrlKey: true, altKey: true, isAltGraph: true });
    expect(commandOf(german, 'page', walk(start, 'Enter'), AT)).toEqual({ type: 'hold-photo' });
    expect(commandOf(keyOf('p', { metaKey: true }), 'page', start, AT)).toBeUndefined();
    expect(commandOf(keyOf('z', { metaKey: true }), 'page', start, AT)).toEqual({ type: 'undo' });
  });
});
