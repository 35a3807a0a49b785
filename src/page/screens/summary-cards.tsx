import { amountText } from '../../views/budget-words.ts';
import { countedAs, STATUS_ORDER } from '../../views/status-looks.ts';
import type { countDecided } from '../decide.ts';
import type { ScreenProps } from '../screen.ts';
import { JUDGED_WORDS } from '../words.ts';
import { Into } from './frame.tsx';
import type { Go } from './go.ts';
import { Status, StatusBar } from './status.tsx';

interface CardProps extends Pick<ScreenProps, 'data'> {
  readonly go: Go;
}

export function PostsCard({ data: { counts }, go }: CardProps) {
  const statuses = Object.fromEntries(STATUS_ORDER.map((status) => [status, countedAs(counts, status)]));
  return (
    <div class="card wide">
      <h3>Posts</h3>
      <p class="number">
        {counts.done} <small>of {counts.posts} done</small>
      </p>
      <StatusBar asked={counts.posts} statuses={statuses} />
      <ul class="counts">
        {STATUS_ORDER.filter((status) => statuses[status]).map((status) => (
          <li key={status}>
            <Into go={() => go.posts({ status: [status] })}>
              {statuses[status]} <Status status={status} />
            </Into>
          </li>
        ))}
        {counts.outdated ? <li>{counts.outdated} ↻ out of date</li> : null}
        {counts.files_missing ? <li>{counts.files_missing} without files here</li> : null}
      </ul>
    </div>
  );
}

const JUDGED = ['approved', 'rejected', 'undecided'] as const;

interface DecidedProps extends Pick<CardProps, 'go'> {
  readonly decided: ReturnType<typeof countDecided>;
}

export function DecidedCard({ decided, go }: DecidedProps) {
  const { approved, rejected, undecided } = decided;
  return (
    <div class="card">
      <h3>Decided</h3>
      <p class="number">
        {approved + rejected} <small>of {approved + rejected + undecided}</small>
      </p>
      <ul class="counts">
        {JUDGED.map((judged) => (
          <li key={judged}>
            <Into go={() => go.posts({ decision: [judged] })}>
              {decided[judged]} <span aria-hidden="true">{JUDGED_WORDS[judged].symbol}</span>{' '}
              {JUDGED_WORDS[judged].words}
            </Into>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function RequestedCard({ data: { cost, currency, summary } }: Pick<CardProps, 'data'>) {
  const { posts, cost: amount } = cost.total;
  return (
    <div class="card">
      <h3>Requested</h3>
      <p class="number">
        {amount ? amountText(amount, undefined) : posts} <small>{amount ? (currency ?? '') : 'posts'}</small>
      </p>
      <ul class="counts">
        <li>{amount ? `for ${posts} posts` : 'No prices are known.'}</li>
        {summary.budget.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
