import { render } from 'preact';
import { type PackedReport, unpackReport } from '../views/packed-report.ts';
import type { ReportData } from '../views/report-data.ts';
import { App } from './app.tsx';
import { createFileSource } from './file-source.ts';
import { openLiveSource } from './live-source.ts';
import type { PageSource } from './page-source.ts';

function show(data: ReportData, source: PageSource): void {
  const root = document.querySelector('#app');
  if (!root) return;
  document.title = `${data.campaign} · ${data.environment}`;
  root.replaceChildren();
  render(<App data={data} source={source} />, root);
}

/** The page of `campaign ui`; where it is not let in, it says so in the place of everything else. */
async function startLive(): Promise<void> {
  const status = document.querySelector('#live');
  const said = document.querySelector('#app p');
  const tell = (text: string) => {
    if (status && status.textContent !== text) status.textContent = text;
  };
  try {
    const source = await openLiveSource(tell);
    show(source.data, source);
  } catch (error) {
    if (said) said.textContent = error instanceof Error ? error.message : String(error);
  }
}

function startFile(): void {
  const data = unpackReport(
    read('#data') as PackedReport['first'],
    () => read('#later') as PackedReport['later'],
  );
  show(data, createFileSource(data, document));
}

function read(element: string): unknown {
  return JSON.parse(document.querySelector(element)?.textContent ?? '');
}

if (document.documentElement.hasAttribute('data-live')) void startLive();
else startFile();
