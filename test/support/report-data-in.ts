import { type PackedReport, unpackReport } from '../../src/views/packed-report.ts';
import type { ReportData } from '../../src/views/report-data.ts';

/** What a report's file holds for its program. */
export function reportDataIn(page: string): ReportData {
  const read = (id: string): unknown =>
    JSON.parse(new RegExp(`id="${id}">(.*?)</script>`, 's').exec(page)?.[1] ?? '');
  return unpackReport(read('data') as PackedReport['first'], () => read('later') as PackedReport['later']);
}
