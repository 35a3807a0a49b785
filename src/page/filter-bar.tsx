import { useEffect, useMemo, useState } from 'preact/hooks';
import { countDecided } from './decide.ts';
import { isDimmed, type PageState } from './page-state.ts';
import type { Action } from './reduce.ts';
import {
  type Facet,
  FACETS,
  facetCounts,
  facetWords,
  NO_FILTER,
  postsInScope,
  withFacet,
} from './sheet-filter.ts';
import { JUDGED_WORDS } from './words.ts';

interface FilterProps {
  readonly state: PageState;
  readonly act: (action: Action) => void;
}

const TITLES: Record<Facet, string> = {
  plan: 'Post plan',
  product: 'Product',
  concept: 'Concept',
  format: 'Format',
  status: 'Status',
  decision: 'Decision',
};

const ALL: Record<Facet, string> = {
  plan: 'All post plans',
  product: 'All products',
  concept: 'All concepts',
  format: 'All formats',
  status: 'All statuses',
  decision: 'All decisions',
};

export function FilterBar({ state, act }: FilterProps) {
  const { facet } = state.sheet;
  return (
    <div class="filter" role="search">
      <div class="filter-row">
        <SearchField state={state} act={act} />
        <label class="pick">
          <span>Group by</span>
          <select
            value={facet}
            onChange={({ currentTarget }) => {
              act({ type: 'group', facet: currentTarget.value as Facet });
              leave(currentTarget);
            }}
          >
            {FACETS.map((each) => (
              <option key={each} value={each}>
                {TITLES[each]}
              </option>
            ))}
          </select>
        </label>
        {FACETS.filter((each) => each !== 'decision').map((each) => (
          <FacetPick key={each} facet={each} state={state} act={act} />
        ))}
      </div>
      <div class="chips">
        <Chips state={state} act={act} />
        <VerdictChips state={state} act={act} />
      </div>
    </div>
  );
}

/** The keys work again. */
function leave(control: HTMLElement): void {
  control.blur();
  document.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
}

const PAUSE_MS = 120;

/** Filters when the person pauses, so that typing stays quick among thousands of posts. */
function SearchField({ state, act }: FilterProps) {
  const { filter } = state.sheet;
  const [typed, setTyped] = useState(filter.words);
  useEffect(() => setTyped(filter.words), [filter.words]);
  useEffect(() => {
    if (typed === filter.words) return;
    const timer = setTimeout(() => act({ type: 'filter', filter: { ...filter, words: typed } }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, filter]);
  return (
    <input
      type="search"
      dir="auto"
      placeholder="Search  /"
      aria-label="Search in addresses, captions, products, concepts and notes"
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={(event) => {
        const isEnd = ['Enter', 'Escape', 'ArrowDown'].includes(event.key) && !event.isComposing;
        if (!isEnd) return;
        event.preventDefault();
        if (typed !== filter.words) act({ type: 'filter', filter: { ...filter, words: typed } });
        leave(event.currentTarget);
      }}
    />
  );
}

/** Adds a value to the filter; what has been chosen stands below as chips. */
function FacetPick({ facet, state, act }: FilterProps & { readonly facet: Facet }) {
  const { data, sheet } = state;
  const { filter } = sheet;
  const isAll = filter.others ?? filter.only !== undefined;
  const counts = useMemo(() => facetCounts(facet, filter, state), [facet, data, isAll]);
  const chosen = filter.facets[facet] ?? [];
  if (counts.size < 2 && chosen.length === 0) return null;
  return (
    <select
      aria-label={`Only one ${TITLES[facet].toLowerCase()}`}
      value=""
      onChange={({ currentTarget }) => {
        const [, ...rest] = currentTarget.value;
        act({ type: 'filter', filter: withFacet(filter, facet, [...chosen, rest.join('')]) });
        currentTarget.value = '';
        leave(currentTarget);
      }}
    >
      <option value="">{ALL[facet]}</option>
      {[...counts]
        .filter(([value]) => !chosen.includes(value))
        .map(([value, number]) => (
          <option key={value} value={`=${value}`}>
            {facetWords(value, facet, data)} ({number})
          </option>
        ))}
    </select>
  );
}

function VerdictChips({ state, act }: FilterProps) {
  const { data, decisions, sheet } = state;
  const counts = countDecided(data, decisions);
  const chosen = sheet.filter.facets.decision ?? [];
  return (
    <div class="verdicts" role="group" aria-label="Decision">
      {(['undecided', 'approved', 'rejected'] as const).map((judged) => {
        const isOn = chosen.includes(judged);
        const next = isOn ? chosen.filter((each) => each !== judged) : [...chosen, judged];
        return (
          <button
            key={judged}
            type="button"
            class="chip"
            aria-pressed={isOn}
            onClick={() => act({ type: 'filter', filter: withFacet(sheet.filter, 'decision', next) })}
          >
            {JUDGED_WORDS[judged].symbol} {JUDGED_WORDS[judged].words}{' '}
            <span class="quiet">{counts[judged]}</span>
          </button>
        );
      })}
    </div>
  );
}

/** Posts that the manifest does not ask for now are shown on request: no number of `campaign status` counts them. */
function OthersChip({ state: { data, sheet }, act }: FilterProps) {
  const { filter } = sheet;
  const { others, ...rest } = filter;
  const number = data.posts.length - postsInScope(NO_FILTER, data).length;
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

/** What is chosen, each with a way to take it off, and the way to apply the filter again. */
function Chips({ state, act }: FilterProps) {
  const { data, sheet } = state;
  const { filter } = sheet;
  const chips = FACETS.filter((facet) => facet !== 'decision').flatMap((facet) =>
    (filter.facets[facet] ?? []).map((value) => ({ facet, value })),
  );
  const dimmed = sheet.grid.order.filter((address) => {
    const post = state.posts.get(address);
    return post && isDimmed(post, state);
  }).length;
  const isFiltered = filter.words !== '' || Object.keys(filter.facets).length > 0 || filter.only;
  return (
    <>
      <span class="quiet">
        {sheet.grid.order.length} of {postsInScope(filter, data).length} posts
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
          aria-label={`Remove ${TITLES[facet]}: ${facetWords(value, facet, data)}`}
          onClick={() => {
            const rest = (filter.facets[facet] ?? []).filter((each) => each !== value);
            act({ type: 'filter', filter: withFacet(filter, facet, rest) });
          }}
        >
          {TITLES[facet]}: <bdi>{facetWords(value, facet, data)}</bdi> ×
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
