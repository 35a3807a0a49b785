import type { CoverageCounts } from '../../views/coverage-table.ts';
import type { SheetStatus } from '../../views/report-data.ts';
import { OUT_OF_DATE, STATUS_LOOKS, STATUS_ORDER } from '../../views/status-looks.ts';

/** A status as symbol and word. */
export function Status({ status }: { readonly status: SheetStatus }) {
  const { symbol, words } = STATUS_LOOKS[status];
  return (
    <span class={`status ${status}`}>
      <span aria-hidden="true">{symbol}</span> {words}
    </span>
  );
}

/** How much of a whole has which status. */
export function StatusBar({ asked, statuses }: Pick<CoverageCounts, 'asked' | 'statuses'>) {
  let x = 0;
  return (
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      {STATUS_ORDER.map((status) => {
        const width = asked ? ((statuses[status] ?? 0) / asked) * 100 : 0;
        const rect = width ? <rect key={status} class={status} x={x} y="0" width={width} height="1" /> : null;
        x += width;
        return rect;
      })}
    </svg>
  );
}

/** What the symbols mean. */
export function Legend() {
  return (
    <ul class="legend" aria-label="What the symbols mean">
      {STATUS_ORDER.map((status) => (
        <li key={status}>
          <Status status={status} />
        </li>
      ))}
      <li>
        <span class="status outdated">
          <span aria-hidden="true">{OUT_OF_DATE.symbol}</span> {OUT_OF_DATE.words}
        </span>
      </li>
    </ul>
  );
}
