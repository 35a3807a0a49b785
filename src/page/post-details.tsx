import type { ComponentChildren } from 'preact';
import { formatOf } from '../views/coverage-table.ts';
import { inertText } from '../util/inert-text.ts';
import type { SheetPost } from '../views/report-data.ts';
import { decisionAbout, targetOf, noteOn } from './decide.ts';
import type { LargeView, PageState } from './page-state.ts';
import type { Action } from './reduce.ts';
import { facetWords, NONE } from './sheet-filter.ts';
import { STATUS_LOOKS } from '../views/status-looks.ts';
import { JUDGED_WORDS } from './words.ts';

interface DetailsProps {
  readonly state: PageState;
  readonly post: SheetPost;
  readonly view: LargeView;
  readonly act: (action: Action) => void;
}

/** All that is known of a post, beside its picture. */
export function PostDetails({ state, post, view, act }: DetailsProps) {
  const { data } = state;
  const status = STATUS_LOOKS[post.status];
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    ['Verdict', <VerdictWords state={state} post={post} />],
    [
      'Status',
      [
        `${status.symbol} ${status.words}`,
        post.outOfDate && 'out of date',
        !post.wanted && 'not asked for now',
      ]
        .filter(Boolean)
        .join(', '),
    ],
    ['Why', post.cause],
    ['Caption', post.caption],
    ...post.alsoSays.map((text, index) => [`Text ${index + 2}`, text] as const),
    [
      post.alsoShows.length > 0 ? 'Products' : 'Product',
      [post.product ?? NONE, ...post.alsoShows].map((key) => facetWords(key, 'product', data)).join(', '),
    ],
    ['Concept', facetWords(post.concept ?? NONE, 'concept', data)],
    ['Format', formatOf(post)],
    ['Cost', post.cost === null ? null : `${post.cost.toFixed(2)} ${data.currency ?? ''}`],
    ['Written at', post.at],
    [
      'Made',
      post.takes
        .at(view.take ?? -1)
        ?.made.replace('T', ' ')
        .replace(/\..*|Z$/, ' UTC'),
    ],
  ];
  return (
    <aside class="details" aria-label="Details">
      <dl>
        {rows.map(
          ([title, words]) =>
            words && (
              <div key={title}>
                <dt>{title}</dt>
                <dd>
                  <bdi>{words}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
      {post.takes.length > 1 && <Takes post={post} view={view} act={act} />}
    </aside>
  );
}

function VerdictWords({ state, post }: Pick<DetailsProps, 'state' | 'post'>) {
  const target = targetOf(post);
  if (!target) return <>nothing to judge</>;
  const decision = decisionAbout(target.media, state.decisions);
  const { symbol, words } = JUDGED_WORDS[decision?.verdict ?? 'undecided'];
  const note = inertText(noteOn(post, state.decisions), 20_000);
  const by = decision?.by ? ` by ${inertText(decision.by, 200)}` : '';
  return (
    <>
      <span class={`verdict ${decision?.verdict ?? ''}`}>
        {symbol} {words}
      </span>
      {by}
      {note && (
        <q class="note">
          <bdi>{note}</bdi>
        </q>
      )}
    </>
  );
}

function Takes({ post, view, act }: Omit<DetailsProps, 'state'>) {
  const last = post.takes.length - 1;
  return (
    <div class="takes" role="group" aria-label="Takes">
      {post.takes.map(({ take, media }, index) => (
        <button
          key={media}
          type="button"
          aria-pressed={(view.take ?? last) === index}
          onClick={() => act({ type: 'take', take: index })}
        >
          Take {take}
        </button>
      ))}
    </div>
  );
}
