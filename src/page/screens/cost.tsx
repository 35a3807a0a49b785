import { useState } from 'preact/hooks';
import { amountText } from '../../views/budget-words.ts';
import { COST_PARTS, type CostPart, type CostRow } from '../../views/cost-table.ts';
import type { ScreenProps } from '../screen.ts';
import { Into, Nothing, Screen } from './frame.tsx';
import { goFrom, type Facets, type Go } from './go.ts';

type Column = 'name' | 'cost' | 'posts' | 'again' | 'rejected';

interface Sorting {
  readonly by: Column;
  readonly isDown: boolean;
}

const HEADS: Readonly<Record<CostPart, string>> = {
  plans: 'Post plan',
  products: 'Product',
  concepts: 'Concept',
};

export function CostScreen({ data, navigate }: Pick<ScreenProps, 'data' | 'navigate'>) {
  const go = goFrom(navigate);
  const { cost, currency } = data;
  const { total, withoutPrice, budget } = cost;
  const [sorting, sort] = useState<Sorting>({ by: 'cost', isDown: true });
  const isPriced = total.cost > 0;
  if (!total.posts)
    return (
      <Screen title="Cost">
        <Nothing>Nothing was requested yet, so nothing has a cost.</Nothing>
      </Screen>
    );
  return (
    <Screen
      title="Cost"
      about="Every request that was sent and not refused, by the prices of its time, whatever became of it: the sums of the budget."
    >
      <p class="lead">
        {total.posts} posts{isPriced ? ` for ${amountText(total.cost, currency ?? undefined)}` : ''};{' '}
        {total.again} of them had a take before, and {total.rejected} were rejected.
      </p>
      {isPriced ? null : (
        <p class="about">
          No prices are known. With <code>budget: prices:</code> in the manifest, this screen has amounts.
        </p>
      )}
      {withoutPrice && isPriced ? (
        <p class="remark">Of {withoutPrice} posts nobody knows what they cost: their type has no price.</p>
      ) : null}
      {budget.length ? (
        <ul class="budget">
          {budget.map(({ per, of, most, spent }) => (
            <li key={`${per} ${of}`}>
              <span>
                This {per}:{' '}
                {of === 'posts'
                  ? `${spent} of ${most} posts`
                  : `${amountText(spent, undefined)} of ${amountText(most, currency ?? undefined)}`}
              </span>
              <Share part={spent} whole={most} />
            </li>
          ))}
        </ul>
      ) : null}
      {COST_PARTS.map((part) => (
        <CostTableOf key={part} part={part} data={data} go={go} sorting={sorting} sort={sort} />
      ))}
    </Screen>
  );
}

interface TableProps extends Pick<ScreenProps, 'data'> {
  readonly go: Go;
  readonly part: CostPart;
  readonly sorting: Sorting;
  readonly sort: (sorting: Sorting) => void;
}

function CostTableOf({ data, go, part, sorting, sort }: TableProps) {
  const { cost, currency } = data;
  const rows = cost[part].map((row) => ({ ...row, name: nameOf(row, part, data) }));
  const { by, isDown } = sorting;
  const way = isDown ? -1 : 1;
  const sorted = rows.toSorted(
    (a, b) => way * (by === 'name' ? a.name.localeCompare(b.name) : a[by] - b[by]),
  );
  const isPriced = cost.total.cost > 0;
  const columns: readonly (readonly [Column, string])[] = [
    ['name', HEADS[part]],
    ...(isPriced ? [['cost', 'Cost'] as const] : []),
    ['posts', 'Posts'],
    ['again', 'Requested again'],
    ['rejected', 'Rejected'],
  ];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`Cost by ${HEADS[part].toLowerCase()}`}>
      <table>
        <caption>By {HEADS[part].toLowerCase()}</caption>
        <thead>
          <tr>
            {columns.map(([column, words]) => (
              <SortHead key={column} column={column} words={words} sorting={sorting} sort={sort} />
            ))}
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={row.key}>
              <th scope="row">
                {row.key === null ? (
                  row.name
                ) : (
                  <Into go={() => go.posts(facetsOf(part, row.key))}>{row.name}</Into>
                )}
              </th>
              {isPriced ? <td class="num">{amountText(row.cost, currency ?? undefined)}</td> : null}
              <td class="num">{row.posts}</td>
              <td class="num">{row.again}</td>
              <td class="num">{row.rejected}</td>
              <td>
                <Share
                  part={isPriced ? row.cost : row.posts}
                  whole={isPriced ? cost.total.cost : cost.total.posts}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SortHeadProps extends Pick<TableProps, 'sorting' | 'sort'> {
  readonly column: Column;
  readonly words: string;
}

function SortHead({ column, words, sorting: { by, isDown }, sort }: SortHeadProps) {
  const isChosen = column === by;
  const way = isDown ? 'descending' : 'ascending';
  return (
    <th scope="col" class={column === 'name' ? '' : 'num'} aria-sort={isChosen ? way : 'none'}>
      <button
        type="button"
        class="sort"
        onClick={() => sort({ by: column, isDown: isChosen ? !isDown : column !== 'name' })}
      >
        {words}
        <span aria-hidden="true">{isChosen ? (isDown ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  );
}

function facetsOf(part: CostPart, key: string | null): Facets {
  const facet = ({ plans: 'plan', products: 'product', concepts: 'concept' } as const)[part];
  return { [facet]: [key ?? ''] };
}

function nameOf({ key }: CostRow, part: CostPart, { products, concepts }: ScreenProps['data']): string {
  if (key === null) return 'none of this campaign, or before this state';
  const named = part === 'products' ? products : part === 'concepts' ? concepts : [];
  return named.find((each) => each.key === key)?.name ?? key;
}

function Share({ part, whole }: { readonly part: number; readonly whole: number }) {
  const percent = whole ? Math.min(100, (part / whole) * 100) : 0;
  return (
    <span class="share">
      <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect class="part" width={percent} height="1" />
      </svg>
      {whole ? Math.round((part / whole) * 100) : 0} %
    </span>
  );
}
