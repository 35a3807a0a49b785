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

/** So many rows stand there at once; the others come when these are on the screen, and leave them as they are. */
const FIRST_ROWS = 40;

function useLines(rows: readonly CoverageRow[], places: Places) {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(true));
    return () => clearTimeout(timer);
  }, []);
  const first = useMemo(() => linesOf(rows.slice(0, FIRST_ROWS), places), [rows, places]);
  const others = useMemo(
    () => linesOf(isDrawn ? rows.slice(FIRST_ROWS) : [], places, FIRST_ROWS),
    [rows, places, isDrawn],
  );
  return { first, others };
}

function linesOf(rows: readonly CoverageRow[], places: Places, from = 0) {
  return rows.map((row, index) => (
    <tr key={row.product} data-row={from + index}>
      <th scope="row">{row.name}</th>
      {cellOf(row.sum, row.name, 'sum')}
      {row.cells.map((counts, place) => cellOf(counts, `${row.name}, ${places[place]?.words}`))}
    </tr>
  ));
}

type Places = ReturnType<typeof placesOf>;

function placesOf(columns: CoverageTable['columns']) {
  return columns.flatMap(({ concept, name, formats }) =>
    formats.map((format) => ({ concept, format, words: `${name}, ${format}` })),
  );
}

/** Two elements a cell, no component, and one listener for all, because there may be thousands of cells. */
function Table({ table, rows, navigate }: TableProps) {
  const { columns, sums, sum } = table;
  const go = goFrom(navigate);
  const places = useMemo(() => placesOf(columns), [columns]);
  const lines = useLines(rows, places);
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    if (!link) return;
    event.preventDefault();
    const [row, place] = placeOf(link);
    const product = rows[row];
    const column = places[place];
    go.posts({
      ...(product && { product: [product.product ?? ''] }),
      ...(column && { concept: [column.concept ?? ''], format: [column.format] }),
    } satisfies Facets);
  };
  return (
    <div class="scroll tall" tabIndex={0} role="region" aria-label="Coverage">
      <table class="coverage" onClick={follow} onPointerOver={explain}>
        <Head columns={columns} />
        <tbody>
          {lines.first}
          {lines.others}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All products</th>
            {cellOf(sum, 'All products', 'sum')}
            {sums.map((counts, place) => cellOf(counts, `All, ${places[place]?.words}`, 'sum'))}
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

function cellOf(counts: CoverageCounts | undefined, about: string, kind?: 'sum') {
  if (!counts) return <td class="none" />;
  const symbols = statusSymbols(counts);
  return (
    <td class={kind}>
      <a
        href="#sheet"
        class={`status ${urgentStatus(counts)}`}
        aria-label={`${symbols} ${about}: ${statusWords(counts)}`}
      >
        {symbols}
      </a>
    </td>
  );
}

/** The row and the column of a cell; -1, or none at all, where it sums up. */
function placeOf(link: Element): readonly [row: number, place: number] {
  const cell = link.closest('td');
  return [Number(link.closest('tr')?.dataset['row'] ?? -1), (cell?.cellIndex ?? 0) - HEADS];
}

/** The name of the product, and the sum of its row. */
const HEADS = 2;

/** Its words, for who points at it. */
function explain({ target }: Event): void {
  const link = (target as Element).closest('a');
  if (link) link.title = link.ariaLabel ?? '';
}
