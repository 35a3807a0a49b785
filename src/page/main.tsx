import { render } from 'preact';
import type { ReportData } from '../views/report-data.ts';
import { App } from './app.tsx';
import { createFileSource } from './file-source.ts';

/** Takes the place of the summary that is read where scripts are off. */
function start(): void {
  const text = document.querySelector('#data')?.textContent;
  const root = document.querySelector('#app');
  if (typeof text !== 'string' || !root) return;
  const data = JSON.parse(text) as ReportData;
  root.replaceChildren();
  render(<App data={data} source={createFileSource(data, document)} />, root);
}

start();
