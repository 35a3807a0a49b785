import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SheetPost } from '../views/report-data.ts';
import { countDecided } from './decide.ts';
import { Chips } from './filter-chips.tsx';
import type { PageState } from './page-state.ts';
import type { Action } from './reduce.ts';
import {
  type Facet,
  FACET_TITLES,
  FACETS,
  facetCounts,
  facetWords,
  isVaried,
  postsInScope,
  withFacet,
} from './sheet-filter.ts';
import { JUDGED_WORDS } from './words.ts';

interface FilterProps {
  readonly state: PageState;
  readonly act: (action: Action) => void;
}

const ALL: Record<Facet, string> = {
  plan: 'All post plans',
  product: 'All products',
  concept: 'All concepts',
  format: 'All formats',
  status: 'All statuses',
  decision: 'All decisions',
};

export function FilterBar({ state, act }: FilterProps) {
  const { facet, filter } = state.sheet;
  const isDrawn = useDrawn();
  const posts = useMemo(() => postsInScope(filter, state.data), [filter, state.data]);
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
                {FACET_TITLES[each]}
              </option>
            ))}
          </select>
        </label>
        {FACETS.filter((each) => each !== 'decision').map((each) => (
          <FacetPick key={each} facet={each} posts={posts} state={state} act={act} isOpen={isDrawn} />
        ))}
      </div>
      <div class="chips">
        <Chips state={state} act={act} count={posts.length} />
        <VerdictChips state={state} act={act} />
      </div>
    </div>
  );
}

/** False until the page has been drawn: what nobody sees yet is counted afterwards. */
function useDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  return isDrawn;
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

interface PickProps extends FilterProps {
  readonly facet: Facet;
  readonly posts: readonly SheetPost[];
  /** Whether its values are there. */
  readonly isOpen: boolean;
}

/** Adds a value to the filter; what has been chosen stands below as chips. */
function FacetPick({ facet, posts, state, act, isOpen }: PickProps) {
  const { data, sheet } = state;
  const { filter } = sheet;
  const isUseful = useMemo(() => isVaried(facet, posts, state), [facet, posts]);
  const counts = useMemo(() => facetCounts(facet, isOpen ? posts : [], state), [facet, posts, isOpen]);
  const chosen = filter.facets[facet] ?? [];
  if (!isUseful && chosen.length === 0) return null;
  return (
    <select
      aria-label={`Only one ${FACET_TITLES[facet].toLowerCase()}`}
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
  const counts = useMemo(() => countDecided(data, decisions), [data, decisions]);
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
