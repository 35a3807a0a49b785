import { useMemo } from 'preact/hooks';
import { isDimmed, type PageState } from './page-state.ts';
import type { Action } from './reduce.ts';
import { FACET_TITLES, FACETS, facetWords, NO_FILTER, postsInScope, withFacet } from './sheet-filter.ts';

interface ChipsProps {
  readonly state: PageState;
  readonly act: (action: Action) => void;
}

/** Posts that the manifest does not ask for now are shown on request: no number of `campaign status` counts them. */
function OthersChip({ state: { data, sheet }, act }: ChipsProps) {
  const { filter } = sheet;
  const { others, ...rest } = filter;
  const number = useMemo(() => data.posts.length - postsInScope(NO_FILTER, data).length, [data]);
  if (number === 0 || filter.only) return null;
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={others === true}
      title="Posts of past periods, surplus ones, and those that the manifest no longer names"
      onClick={() => act({ type: 'filter', filter: others ? rest : { ...filter, others: true } })}
    >
      {others ? 'With' : 'Show'} {number} not asked for now
    </button>
  );
}

function countDimmed(state: PageState): number {
  return state.sheet.grid.order.filter((address) => {
    const post = state.posts.get(address);
    return post && isDimmed(post, state);
  }).length;
}

/** What is chosen, each with a way to take it off, and the way to apply the filter again. */
export function Chips({
  state,
  act,
  count,
}: ChipsProps & { /** Of all posts that may be shown. */ readonly count: number }) {
  const { data, sheet } = state;
  const { filter } = sheet;
  const chips = FACETS.filter((facet) => facet !== 'decision').flatMap((facet) =>
    (filter.facets[facet] ?? []).map((value) => ({ facet, value })),
  );
  const dimmed = useMemo(() => countDimmed(state), [state.decisions, state.posts, sheet]);
  const isFiltered = filter.words !== '' || Object.keys(filter.facets).length > 0 || filter.only;
  return (
    <>
      <span class="quiet">
        {sheet.grid.order.length} of {count} posts
      </span>
      <OthersChip state={state} act={act} />
      {filter.only && (
        <button
          type="button"
          class="chip"
          aria-label={`Remove: ${filter.only.words}`}
          onClick={() => {
            const { only: _, ...rest } = filter;
            act({ type: 'filter', filter: rest });
          }}
        >
          <bdi>{filter.only.words}</bdi> ×
        </button>
      )}
      {chips.map(({ facet, value }) => (
        <button
          key={`${facet}=${value}`}
          type="button"
          class="chip"
          aria-label={`Remove ${FACET_TITLES[facet]}: ${facetWords(value, facet, data)}`}
          onClick={() => {
            const rest = (filter.facets[facet] ?? []).filter((each) => each !== value);
            act({ type: 'filter', filter: withFacet(filter, facet, rest) });
          }}
        >
          {FACET_TITLES[facet]}: <bdi>{facetWords(value, facet, data)}</bdi> ×
        </button>
      ))}
      {dimmed > 0 && (
        <button type="button" class="chip" onClick={() => act({ type: 'apply-again' })}>
          ↻ Apply the filter again ({dimmed} decided)
        </button>
      )}
      {isFiltered && (
        <button type="button" class="chip" onClick={() => act({ type: 'filter', filter: NO_FILTER })}>
          Clear filter
        </button>
      )}
    </>
  );
}
