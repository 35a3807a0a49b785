import { useEffect, useMemo, useState } from 'preact/hooks';
import {
  type CoverageCounts,
  type CoverageRow,
  type CoverageTable,
  coverageTable,
} from '../../views/coverage-table.ts';
import { statusSymbols, statusWords, urgentStatus } from '../../views/status-looks.ts';
import type { ScreenProps } from '../screen.ts';
import { Nothing, Screen } from './frame.tsx';
import { type Facets, goFrom } from './go.ts';
import { Legend } from './status.tsx';

type CoverageProps = Pick<ScreenProps, 'data' | 'navigate'>;

export function CoverageScreen({ data, navigate }: CoverageProps) {
  const table = useMemo(() => coverageTable(data), [data]);
  const [isOpenOnly, setOpenOnly] = useState(false);
  const rows = isOpenOnly ? table.rows.filter(({ sum }) => !isComplete(sum)) : table.rows;
  return (
    <Screen
      title="Coverage"
      about="How far each product is, in each concept and format. Each cell leads to its posts."
    >
      {table.rows.length ? (
        <>
          <div class="tools">
            <label>
              <input
                type="checkbox"
                checked={isOpenOnly}
                onChange={(event) => setOpenOnly(event.currentTarget.checked)}
              />{' '}
              Only products that are not complete
            </label>
            <Legend />
          </div>
          {rows.length ? (
            <Table table={table} rows={rows} navigate={navigate} />
          ) : (
            <Nothing>Every product is complete.</Nothing>
          )}
        </>
      ) : (
        <Nothing>The manifest asks for no post yet, so there is nothing to cover.</Nothing>
      )}
    </Screen>
  );
}

function isComplete(counts: CoverageCounts): boolean {
  return urgentStatus(counts) === 'done';
}

interface TableProps extends Pick<CoverageProps, 'navigate'> {
  readonly table: CoverageTable;
  readonly rows: readonly CoverageRow[];
}

/** So many rows stand there at once; the others come when these are on the screen. */
const FIRST_ROWS = 50;

/** Two elements a cell and one listener for all, because there may be thousands of cells. */
function Table({ table, rows, navigate }: TableProps) {
  const { columns, sums, sum } = table;
  const go = goFrom(navigate);
  const [drawn, draw] = useState(FIRST_ROWS);
  useEffect(() => {
    const timer = setTimeout(() => draw(Number.POSITIVE_INFINITY));
    return () => clearTimeout(timer);
  }, []);
  const places = columns.flatMap(({ concept, name, formats }) =>
    formats.map((format) => ({ concept, format, words: `${name}, ${format}` })),
  );
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    if (!link) return;
    event.preventDefault();
    const { row, place } = link.dataset;
    const product = row === undefined ? undefined : rows[Number(row)];
    const column = place === undefined ? undefined : places[Number(place)];
    go.posts({
      ...(product && { product: [product.product ?? ''] }),
      ...(column && { concept: [column.concept ?? ''], format: [column.format] }),
    } satisfies Facets);
  };
  return (
    <div class="scroll tall" tabIndex={0} role="region" aria-label="Coverage">
      <table class="coverage" onClick={follow}>
        <Head columns={columns} />
        <tbody>
          {rows.slice(0, drawn).map((row, index) => (
            <tr key={row.product}>
              <th scope="row">{row.name}</th>
              <Cell counts={row.sum} row={index} about={row.name} />
              {row.cells.map((counts, place) => (
                <Cell
                  key={place}
                  counts={counts}
                  row={index}
                  place={place}
                  about={`${row.name}, ${places[place]?.words}`}
                />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All products</th>
            <Cell counts={sum} about="All products" />
            {sums.map((counts, place) => (
              <Cell key={place} counts={counts} place={place} about={`All, ${places[place]?.words}`} />
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Head({ columns }: Pick<CoverageTable, 'columns'>) {
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={2}>
          Product
        </th>
        <th scope="col" rowSpan={2}>
          All
        </th>
        {columns.map(({ concept, name, formats }) => (
          <th key={concept} scope="colgroup" colSpan={formats.length}>
            {name}
          </th>
        ))}
      </tr>
      <tr>
        {columns.flatMap(({ concept, formats }) =>
          formats.map((format) => (
            <th key={`${concept} ${format}`} scope="col">
              {format}
            </th>
          )),
        )}
      </tr>
    </thead>
  );
}

interface CellProps {
  readonly counts: CoverageCounts | undefined;
  readonly row?: number;
  readonly place?: number;
  readonly about: string;
}

function Cell({ counts, row, place, about }: CellProps) {
  if (!counts) return <td class="none" />;
  const words = statusWords(counts);
  const symbols = statusSymbols(counts);
  return (
    <td class={row === undefined || place === undefined ? 'sum' : ''}>
      <a
        href="#sheet"
        class={`status ${urgentStatus(counts)}`}
        data-row={row}
        data-place={place}
        title={words}
        aria-label={`${symbols} ${about}: ${words}`}
      >
        {symbols}
      </a>
    </td>
  );
}
