import type { SheetPost } from '../views/report-data.ts';
import { formatOf } from '../views/coverage-table.ts';
import { inertText } from '../util/inert-text.ts';
import { count } from '../util/count.ts';
import { judgedAs, noteOn } from './decide.ts';
import type { PageSource } from './page-source.ts';
import { isDimmed, type PageState } from './page-state.ts';
import type { Action } from './reduce.ts';
import { SmallPicture } from './small-picture.tsx';
import { STATUS_LOOKS } from '../views/status-looks.ts';
import { JUDGED_WORDS, NO_FILE } from './words.ts';

interface TileProps {
  readonly post: SheetPost;
  readonly state: PageState;
  readonly act: (action: Action) => void;
  readonly source: PageSource;
}

export function Tile({ post, state, act, source }: TileProps) {
  const { address } = post;
  const isFramed = state.framed === address;
  const isSelected = state.selection.has(address);
  const marks = [isFramed && 'framed', isSelected && 'selected', isDimmed(post, state) && 'dimmed'];
  const onClick = (event: MouseEvent) => {
    const isTouch = 'pointerType' in event && event.pointerType === 'touch';
    if (isTouch && isFramed) return act({ type: 'open' });
    const toggles = event.ctrlKey || event.metaKey;
    act({ type: 'frame', post: address, how: event.shiftKey ? 'extend' : toggles ? 'toggle' : 'only' });
  };
  return (
    <div
      role="gridcell"
      id={tileId(address)}
      class={['tile', ...marks].filter(Boolean).join(' ')}
      aria-selected={isSelected || isFramed}
      title={address}
      onClick={onClick}
      onDblClick={() => act({ type: 'open' })}
    >
      <div class="tile-picture">
        <TilePicture post={post} state={state} source={source} />
      </div>
      <TileWords post={post} state={state} />
      <UnseenWords post={post} state={state} />
    </div>
  );
}

/** Addresses hold no space. */
export function tileId(address: string): string {
  return `tile:${address}`;
}

function TilePicture({ post, state, source }: Omit<TileProps, 'act'>) {
  const take = post.takes.at(-1);
  const [index, ...others] = take?.pictures ?? [];
  const picture = index === undefined ? undefined : state.data.pictures[index];
  if (index === undefined || !picture) return <span class="lack">{lackWords(post)}</span>;
  return (
    <>
      <SmallPicture source={source} index={index} picture={picture} />
      {picture.kind === 'video' && <span class="badge">▶ video</span>}
      {others.length > 0 && <span class="badge">▤ {others.length + 1}</span>}
      {picture.problem !== null && (
        <span class="badge problem" title={picture.problem}>
          ! file
        </span>
      )}
    </>
  );
}

function lackWords({ cause, status }: SheetPost): string {
  return cause ?? (status === 'done' ? NO_FILE : STATUS_LOOKS[status].words);
}

function TileWords({ post, state }: Pick<TileProps, 'post' | 'state'>) {
  const judged = judgedAs(post, state.decisions);
  const status = STATUS_LOOKS[post.status];
  const verdict = judged && JUDGED_WORDS[judged];
  const note = noteOn(post, state.decisions);
  return (
    <>
      <p class="tile-name">
        <bdi>{nameOf(post)}</bdi>
      </p>
      <p class="tile-state">
        {judged && judged !== 'undecided' ? (
          <span class={`verdict ${judged}`}>
            {verdict?.symbol} {verdict?.words}
          </span>
        ) : (
          <span class={`status ${post.status}`}>
            {status.symbol} {status.words}
          </span>
        )}
        {post.outOfDate && <span class="quiet">out of date</span>}
        {!post.wanted && <span class="quiet">not asked for now</span>}
        {post.takes.length > 1 && <span class="quiet">{count(post.takes.length, 'take')}</span>}
        {note && <span class="quiet">✎ note</span>}
      </p>
    </>
  );
}

/** Its address without what all have. */
function nameOf({ address, plan }: SheetPost): string {
  const start = `media/${plan}/`;
  return address.startsWith(start) ? address.slice(start.length) : address;
}

/** What stands nowhere on the tile, for who hears it. */
function UnseenWords({ post, state }: Pick<TileProps, 'post' | 'state'>) {
  const judged = judgedAs(post, state.decisions);
  const note = noteOn(post, state.decisions);
  const parts = [judged === 'undecided' && JUDGED_WORDS[judged].words, formatOf(post), inertText(note, 200)];
  return <span class="unseen">{parts.filter(Boolean).join(', ')}</span>;
}
