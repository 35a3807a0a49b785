import { count } from '../util/count.ts';
import { judgedAs } from './decide.ts';
import { JudgeBar } from './judge-bar.tsx';
import { Film } from './film.tsx';
import { Modal } from './modal.tsx';
import type { PageSource } from './page-source.ts';
import type { CompareView, PageState } from './page-state.ts';
import { PictureStage } from './picture-stage.tsx';
import type { Action } from './reduce.ts';
import { shownPanes } from './reduce-view.ts';
import { ZoomButton } from './zoom-button.tsx';
import { JUDGED_WORDS } from './words.ts';

interface CompareProps {
  readonly state: PageState;
  readonly view: CompareView;
  readonly act: (action: Action) => void;
  readonly source: PageSource;
}

/** Takes or posts side by side; all show the same part of their picture. */
export function CompareDialog({ state, view, act, source }: CompareProps) {
  const isPinned = view.pinned !== undefined;
  return (
    <Modal name="compare" label="Compare" onLeave={() => act({ type: 'close' })}>
      <header class="view-head">
        <h2>Compare {count(view.panes.length, 'picture')}</h2>
        <span class="quiet">← → another picture</span>
        <button type="button" onClick={() => act({ type: 'close' })}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      <div class="panes" role="group" aria-label="Pictures">
        {shownPanes(view).map((index) => (
          <ComparePane key={index} state={state} view={view} act={act} source={source} index={index} />
        ))}
      </div>
      <JudgeBar state={state} act={act} count={1}>
        <ZoomButton state={state} act={act} />
        <button type="button" aria-pressed={isPinned} onClick={() => act({ type: 'pin' })}>
          {isPinned ? 'Unpin' : 'Pin'} <kbd>L</kbd>
        </button>
      </JudgeBar>
    </Modal>
  );
}

function ComparePane({ state, view, act, source, index }: CompareProps & { readonly index: number }) {
  const pane = view.panes[index];
  const post = state.posts.get(pane?.post ?? '');
  const take = post?.takes[pane?.take ?? -1];
  const place = take?.pictures[0];
  const picture = state.data.pictures[place ?? -1];
  if (!post || !take) return <p class="lack">This post is not there any more.</p>;
  const isNewest = take === post.takes.at(-1);
  const judged = isNewest ? judgedAs(post, state.decisions) : undefined;
  const verdict = judged && JUDGED_WORDS[judged];
  const isActive = index === view.active;
  const name = `${post.address}, take ${take.take}`;
  return (
    <figure
      class={`pane ${isActive ? 'framed' : ''}`}
      onPointerDown={() => act({ type: 'pane', pane: index })}
    >
      {place === undefined || !picture || picture.kind === 'other' ? (
        <p class="lack">Only pictures and videos can be compared here.</p>
      ) : picture.kind === 'video' ? (
        <Film key={picture.sha256} source={source} index={place} picture={picture} name={name} />
      ) : (
        <PictureStage
          source={source}
          index={place}
          picture={picture}
          alt={name}
          zoom={state.zoom}
          onZoom={(zoom) => act({ type: 'zoom', zoom })}
        />
      )}
      <figcaption>
        <bdi>{post.address}</bdi>{' '}
        <span class="quiet">
          take {take.take}
          {index === view.pinned && ', pinned'}
          {isActive && ', framed'}
        </span>{' '}
        {verdict ? (
          <span class={`verdict ${judged}`}>
            {verdict.symbol} {verdict.words}
          </span>
        ) : (
          <span class="quiet">{isNewest ? '' : 'older take'}</span>
        )}
      </figcaption>
    </figure>
  );
}
