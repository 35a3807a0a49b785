import { useState } from 'preact/hooks';
import type { Picture, SheetPost } from '../views/report-data.ts';
import { Film } from './film.tsx';
import type { PageSource } from './page-source.ts';
import type { LargeView, PageState } from './page-state.ts';
import { PictureStage } from './picture-stage.tsx';
import type { Action } from './reduce.ts';
import { shownTake } from './reduce-view.ts';
import { STATUS_LOOKS } from '../views/status-looks.ts';
import { NO_FILE } from './words.ts';

export interface LargeProps {
  readonly state: PageState;
  readonly view: LargeView;
  readonly act: (action: Action) => void;
  readonly source: PageSource;
}

interface Shown extends LargeProps {
  readonly post: SheetPost;
  /** The product photo, as a place in `data.pictures`. */
  readonly photo: number | undefined;
}

/** The picture, the product photo in its place, or both with a slider between them. */
export function LargePicture(props: Shown) {
  const { state, view, post, photo, source, act } = props;
  const [share, setShare] = useState(50);
  const index = shownTake(state, view)?.pictures[view.slide];
  const { pictures } = state.data;
  const [picture, before] = [pictures[index ?? -1], pictures[photo ?? -1]];
  const onZoom = (zoom: typeof state.zoom) => act({ type: 'zoom', zoom });
  const stage = (place: number, shown: Picture, alt: string) => (
    <PictureStage source={source} index={place} picture={shown} alt={alt} zoom={state.zoom} onZoom={onZoom} />
  );
  const beforeStage = photo !== undefined && before && stage(photo, before, `Photo of ${post.product ?? ''}`);
  if (state.hasPhoto && beforeStage) return <div class="layers">{beforeStage}</div>;
  if (index === undefined || !picture) return <NoPicture post={post} />;
  if (picture.kind === 'video')
    return <Film key={picture.sha256} source={source} index={index} picture={picture} name={post.address} />;
  if (picture.kind === 'other')
    return (
      <p class="lack">A browser cannot show {picture.path ?? 'this file'}: open it with another program.</p>
    );
  const alt = [post.caption, ...post.alsoSays][view.slide] || post.caption || post.address;
  if (!state.hasSlider || !beforeStage) return <div class="layers">{stage(index, picture, alt)}</div>;
  return (
    <>
      <div class="layers">
        {beforeStage}
        <div class="after" style={{ clipPath: `inset(0 0 0 ${share}%)` }}>
          {stage(index, picture, alt)}
        </div>
        <div class="divider" style={{ left: `${share}%` }} />
      </div>
      <input
        type="range"
        class="before-after"
        min={0}
        max={100}
        value={share}
        aria-label="How much of the product photo is shown, in per cent"
        onInput={({ currentTarget }) => setShare(Number(currentTarget.value))}
      />
    </>
  );
}

function NoPicture({ post: { status, cause } }: { readonly post: SheetPost }) {
  const { symbol, words } = STATUS_LOOKS[status];
  return (
    <div class="lack">
      <p>
        {symbol} {words}
      </p>
      {cause !== null && <p>{cause}</p>}
      {status === 'done' && <p>{NO_FILE}</p>}
    </div>
  );
}
