import { chosenPosts } from './page-state.ts';
import type { ScreenProps } from './screen.ts';
import { FilterBar } from './filter-bar.tsx';
import { JudgeBar } from './judge-bar.tsx';
import { NO_FILTER } from './sheet-filter.ts';
import { SheetGrid } from './sheet-grid.tsx';

/** The contact sheet: filter, grid, and what can be done with the framed picture. */
export function SheetScreen(props: ScreenProps) {
  const { state, act } = props;
  const isEmpty = state.sheet.grid.order.length === 0;
  if (state.data.posts.length === 0) return <NoPosts manifest={state.data.manifest} />;
  return (
    <div class="sheet">
      <FilterBar state={state} act={act} />
      {isEmpty ? (
        <div class="empty">
          <p>No post matches this filter.</p>
          <button type="button" class="accent" onClick={() => act({ type: 'filter', filter: NO_FILTER })}>
            Show all posts
          </button>
        </div>
      ) : (
        <SheetGrid {...props} />
      )}
      <JudgeBar state={state} act={act} count={chosenPosts(state).length} />
    </div>
  );
}

function NoPosts({ manifest }: { readonly manifest: string }) {
  return (
    <div class="empty">
      <p>There is no post yet.</p>
      <p class="quiet">
        <code>campaign apply</code> requests what {manifest} asks for; then <code>campaign report</code> shows
        it here.
      </p>
    </div>
  );
}
