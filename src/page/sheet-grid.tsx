import { Component, type RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count } from '../util/count.ts';
import type { GridRow } from './grid-rows.ts';
import type { ScreenProps } from './screen.ts';
import { facetWords } from './sheet-filter.ts';
import { Tile, tileId } from './tile.tsx';
import { useVirtualRows } from './use-virtual-rows.ts';

/** As in sheet.css. */
const [TILE_WIDTH, TILE_HEIGHT, HEADING_HEIGHT, GAP] = [150, 204, 36, 8];

const PADDING = 24;

/** Of a window of this width, as long as nothing has been measured. */
export function likelyColumns(width: number): number {
  return columnsIn(width - PADDING);
}

function columnsIn(width: number): number {
  return Math.max(1, Math.floor((width + GAP) / (TILE_WIDTH + GAP)));
}

const NO_ROWS: readonly GridRow[] = [];

/** The windowed grid. It has the focus as a whole; the framed picture is its active descendant. */
export function SheetGrid({ state, act, source }: ScreenProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { grid } = state.sheet;
  const isMeasured = useColumns(scroller, act);
  // Not drawn twice.
  const rows = isMeasured ? grid.rows : NO_ROWS;
  const virtual = useVirtualRows({
    scroller,
    count: rows.length,
    heightOf: (row) => (rows[row]?.kind === 'heading' ? HEADING_HEIGHT : TILE_HEIGHT + GAP),
    version: rows,
  });
  useEffect(() => scroller.current?.focus({ preventScroll: true }), []);
  const place = state.framed === undefined ? undefined : grid.places.get(state.framed);
  useLayoutEffect(() => {
    if (!place) return;
    // With its heading, where that is just above.
    const isFirst = rows[place.row - 1]?.kind === 'heading';
    if (isFirst) virtual.scrollToIndex(place.row - 1, { align: 'auto' });
    virtual.scrollToIndex(place.row, { align: 'auto' });
  }, [state.framed, rows]);
  const items = virtual.getVirtualItems();
  const isDrawn = items.some(({ index }) => index === place?.row);
  return (
    <div
      ref={scroller}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label="Contact sheet"
      aria-multiselectable="true"
      aria-rowcount={grid.rows.length}
      aria-colcount={grid.columns}
      aria-activedescendant={isDrawn && state.framed !== undefined ? tileId(state.framed) : undefined}
    >
      <div class="grid-rows" role="presentation" style={{ height: `${virtual.getTotalSize()}px` }}>
        {items.map(({ index, start }) => (
          <div
            key={index}
            role="row"
            aria-rowindex={index + 1}
            class="grid-row"
            style={{
              transform: `translateY(${start}px)`,
              gridTemplateColumns: `repeat(${grid.columns}, 1fr)`,
            }}
          >
            <RowCells row={rows[index]} state={state} act={act} source={source} />
          </div>
        ))}
      </div>
    </div>
  );
}

type RowProps = Pick<ScreenProps, 'state' | 'act' | 'source'> & { readonly row: GridRow | undefined };

/** While people scroll, only the rows that come into view are drawn. */
class RowCells extends Component<RowProps> {
  override shouldComponentUpdate({ row, state }: RowProps): boolean {
    return row !== this.props.row || state !== this.props.state;
  }

  override render() {
    return rowCells(this.props);
  }
}

function rowCells({ row, state, act, source }: RowProps) {
  if (!row) return null;
  if (row.kind === 'heading') {
    const { facet } = state.sheet;
    return (
      <div role="gridcell" aria-colspan={state.sheet.grid.columns} class="grid-heading">
        <h2>
          <bdi>{facetWords(row.value, facet, state.data)}</bdi>{' '}
          <span class="quiet">{count(row.count, 'post')}</span>
        </h2>
      </div>
    );
  }
  return (
    <>
      {row.posts.map((address) => {
        const post = state.posts.get(address);
        return post && <Tile key={address} post={post} state={state} act={act} source={source} />;
      })}
    </>
  );
}

/** Tells how many columns there is room for; false until that is known. */
function useColumns(scroller: RefObject<HTMLElement>, act: RowProps['act']): boolean {
  const [isMeasured, setMeasured] = useState(false);
  useLayoutEffect(
    () =>
      watchWidth(scroller.current, (columns) => {
        act({ type: 'columns', columns });
        setMeasured(true);
      }),
    [],
  );
  return isMeasured;
}

function watchWidth(element: HTMLElement | null, tell: (columns: number) => void): (() => void) | undefined {
  if (!element) return undefined;
  const measure = () => {
    const style = getComputedStyle(element);
    tell(columnsIn(element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)));
  };
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  measure();
  return () => observer.disconnect();
}
