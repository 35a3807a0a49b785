import { JudgeBar } from './judge-bar.tsx';
import { LargePicture, type LargeProps } from './large-picture.tsx';
import { Modal } from './modal.tsx';
import { ZoomButton } from './zoom-button.tsx';
import { PostDetails } from './post-details.tsx';
import { shownTake } from './reduce-view.ts';

/** One post, as large as the window, with all that is known of it. */
export function LargeDialog({ state, view, act, source }: LargeProps) {
  const post = state.posts.get(state.framed ?? '');
  if (!post) return null;
  const take = shownTake(state, view);
  const slides = take?.pictures.length ?? 0;
  const isPicture = state.data.pictures[take?.pictures[view.slide] ?? -1]?.kind === 'image';
  const photo = state.data.products.find(({ key }) => key === post.product)?.photos[0];
  return (
    <Modal name="large" label={post.address} onLeave={() => act({ type: 'close' })}>
      <LargeHead state={state} act={act} />
      <div class="view-body">
        <div class="view-picture">
          <LargePicture state={state} view={view} act={act} source={source} post={post} photo={photo} />
          {slides > 1 && (
            <p class="slides">
              <button
                type="button"
                aria-label="Previous slide"
                onClick={() => act({ type: 'slide', by: -1 })}
              >
                ↑
              </button>
              Slide {view.slide + 1} of {slides}
              <button type="button" aria-label="Next slide" onClick={() => act({ type: 'slide', by: 1 })}>
                ↓
              </button>
            </p>
          )}
        </div>
        <PostDetails state={state} post={post} view={view} act={act} />
      </div>
      <JudgeBar state={state} act={act} count={1}>
        {isPicture && <ZoomButton state={state} act={act} />}
        {photo !== undefined && <PhotoButtons state={state} act={act} isPicture={isPicture} />}
      </JudgeBar>
    </Modal>
  );
}

type PartProps = Pick<LargeProps, 'state' | 'act'>;

function LargeHead({ state: { framed = '', sheet }, act }: PartProps) {
  const { order } = sheet.grid;
  const place = order.indexOf(framed) + 1;
  const step = (direction: 'left' | 'right') => act({ type: 'move', direction, extends: false });
  return (
    <header class="view-head">
      <h2>
        <bdi>{framed}</bdi>
      </h2>
      <span class="quiet">
        {place} of {order.length}
      </span>
      <button type="button" aria-label="Previous picture" disabled={place <= 1} onClick={() => step('left')}>
        ←
      </button>
      <button
        type="button"
        aria-label="Next picture"
        disabled={place === order.length}
        onClick={() => step('right')}
      >
        →
      </button>
      <button type="button" onClick={() => act({ type: 'close' })}>
        Close <kbd>Esc</kbd>
      </button>
    </header>
  );
}

function PhotoButtons({ state, act, isPicture }: PartProps & { readonly isPicture: boolean }) {
  return (
    <>
      <button
        type="button"
        aria-pressed={state.hasPhoto}
        onClick={() => act({ type: 'photo', isShown: !state.hasPhoto })}
      >
        Product photo <kbd>\</kbd>
      </button>
      {isPicture && (
        <button type="button" aria-pressed={state.hasSlider} onClick={() => act({ type: 'slider' })}>
          Before and after <kbd>B</kbd>
        </button>
      )}
    </>
  );
}
