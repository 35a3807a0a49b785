import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import type { ReportData } from '../views/report-data.ts';
import { AskDialog } from './ask-dialog.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Coded } from './coded.tsx';
import { countDecided } from './decide.ts';
import { countUnwritten, unwrittenChanges } from './unwritten.ts';
import { ExportDialog } from './export-dialog.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { LargeDialog } from './large-dialog.tsx';
import { useDroppedFiles } from './open-decisions.ts';
import type { PageSource } from './page-source.ts';
import { type Destination, type PageState, startPage } from './page-state.ts';
import { type Action, reduce } from './reduce.ts';
import { SCREEN_LIST } from './screens.ts';
import { likelyColumns } from './sheet-grid.tsx';
import { useKeys } from './use-keys.ts';

export function App({ data, source }: { readonly data: ReportData; readonly source: PageSource }) {
  const [state, act] = useReducer(reduce, data, (given) => startPage(given, likelyColumns(innerWidth)));
  const main = useRef<HTMLElement>(null);
  useKeys(state, act, main);
  useDroppedFiles(act);
  useFollowing(source, act);
  useSaving(source, state, act);
  useWarning(state, source);
  const { Screen } = SCREEN_LIST.find(({ name }) => name === state.screen) ?? SCREEN_LIST[0] ?? {};
  const navigate = (to: Destination) => act({ type: 'go', to });
  return (
    <>
      <Header state={state} act={act} source={source} />
      {state.notice !== null && (
        <p class="notice" role="alert">
          <Coded text={state.notice} />
        </p>
      )}
      <main ref={main}>
        <div id="screen" role="tabpanel" aria-label={titleOf(state)}>
          {Screen && <Screen data={state.data} navigate={navigate} state={state} act={act} source={source} />}
        </div>
      </main>
      {state.view?.kind === 'large' && (
        <LargeDialog state={state} view={state.view} act={act} source={source} />
      )}
      {state.view?.kind === 'compare' && (
        <CompareDialog state={state} view={state.view} act={act} source={source} />
      )}
      {state.dialog?.kind === 'help' && <HelpDialog act={act} />}
      {state.dialog?.kind === 'export' && <ExportDialog state={state} act={act} source={source} />}
      {state.dialog?.kind === 'ask' && <AskDialog state={state} dialog={state.dialog} act={act} />}
      {state.dialog?.kind === 'confirm' && <ConfirmDialog state={state} dialog={state.dialog} act={act} />}
    </>
  );
}

interface Shown {
  readonly state: PageState;
  readonly act: (action: Action) => void;
  readonly source: PageSource;
}

function titleOf({ screen }: PageState): string {
  return SCREEN_LIST.find(({ name }) => name === screen)?.title ?? '';
}

function Header({ state, act, source }: Shown) {
  const { data, screen, decisions } = state;
  const { approved, rejected, undecided } = useMemo(() => countDecided(data, decisions), [data, decisions]);
  const decided = approved + rejected;
  const unwritten = source.decisions.type === 'export' ? countUnwritten(decisions) : 0;
  return (
    <header class="head">
      <h1>
        {data.campaign} <span class="quiet">{data.environment}</span>
      </h1>
      <div class="tabs" role="tablist" aria-label="Screens" onKeyDown={(event) => moveTab(event, act)}>
        {SCREEN_LIST.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === screen}
            aria-controls="screen"
            tabIndex={name === screen ? 0 : -1}
            onClick={() => act({ type: 'go', to: { screen: name } })}
          >
            {title}
          </button>
        ))}
      </div>
      <p class="decided">
        <strong>{decided}</strong> of {decided + undecided} decided
      </p>
      <button
        type="button"
        class={unwritten > 0 ? 'accent' : ''}
        onClick={() => act({ type: 'dialog', dialog: { kind: 'export' } })}
      >
        {unwritten > 0 ? `Export ${unwritten} new` : 'Decisions file'}
      </button>
      <button
        type="button"
        aria-label="Keys and help"
        onClick={() => act({ type: 'dialog', dialog: { kind: 'help' } })}
      >
        ?
      </button>
    </header>
  );
}

/** The arrows go through the tabs, as everywhere. */
function moveTab(event: KeyboardEvent, act: Shown['act']): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const tabs = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=tab]')];
  const index = tabs.findIndex((tab) => tab === event.target);
  const next = step === undefined ? undefined : (index + step + tabs.length) % tabs.length;
  const to = next === undefined ? undefined : SCREEN_LIST[next]?.name;
  if (next === undefined || to === undefined) return;
  event.preventDefault();
  act({ type: 'go', to: { screen: to } });
  tabs[next]?.focus();
}

function useFollowing(source: PageSource, act: Shown['act']): void {
  useEffect(
    () =>
      source.follow?.({
        data: (data) => act({ type: 'data', data }),
        notice: (notice) => act({ type: 'notice', notice }),
      }),
    [source],
  );
}

/** The server takes no larger requests than so many verdicts with long notes. */
const MOST_AT_ONCE = 200;

/** Hands over what was decided, one call after the other. */
function useSaving({ decisions: port }: PageSource, { decisions }: PageState, act: Shown['act']): void {
  const isSaving = useRef(false);
  useEffect(() => {
    if (port.type !== 'save' || isSaving.current) return;
    const changes = unwrittenChanges(decisions).slice(0, MOST_AT_ONCE);
    if (changes.length === 0) return;
    isSaving.current = true;
    const end = (problem: string | undefined) => {
      isSaving.current = false;
      if (problem === undefined) act({ type: 'written', changes });
      else act({ type: 'say', message: `The decisions are not written yet: ${problem}` });
    };
    port.save(changes).then(end, (error: unknown) => end(String(error)));
  }, [decisions, port]);
}

/** What is in no file is lost with the page: the browser asks first. */
function useWarning({ decisions }: PageState, { decisions: port }: PageSource): void {
  const isUnsafe =
    port.type === 'save' ? unwrittenChanges(decisions).length > 0 : countUnwritten(decisions) > 0;
  // At once, not after the next frame: the page may be closed right after a key.
  useLayoutEffect(() => {
    if (!isUnsafe) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnsafe]);
}
