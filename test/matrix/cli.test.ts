/** Some cells once more with the real command as a process: it is put together as the walked ones are. */
import { expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { CANARY_KEY } from './apply.ts';
import { cellsOf } from './cells.ts';
import { endingsOf, wordsOf } from './endings.ts';
import { ENDPOINTS } from './endpoints.ts';
import { setStage } from './stage.ts';

const CELLS: readonly (readonly [string, string])[] = [
  ['POST /get_auth_token', '400'],
  ['POST /upload-media/', '422'],
  ['POST /products/', '401 for ever'],
  ['PATCH /products/{id}/', '429, Retry-After: beyond all measure'],
  ['POST /concepts/', 'FIN after the effect'],
  ['POST /media-config/', 'body: html'],
];

it.each(CELLS)('%s, %s', async (route, name) => {
  const endpoint = ENDPOINTS.find((known) => known.route === route);
  const cell = endpoint && cellsOf(endpoint).find(({ fault }) => fault.name === name);
  if (!cell) throw new Error('there is no such cell');
  const stage = await setStage(endpoint);
  const place = await stage.place(cell.fault);
  await stage.begin(cell.fault);
  const before = stage.emulator.calls.length;
  const args = ['apply', 'm.yaml', ...(endpoint.story?.wait === false ? ['--no-wait'] : [])];
  const { code, stderr } = await runCli(args, { cwd: place.folder, env: { CAMPAIGN_API_KEY: CANARY_KEY } });
  const requests = stage.emulator.calls.slice(before).filter((call) => call.route === route).length;
  const { faulty } = endingsOf(endpoint, cell.fault, cell.verdict);
  expect({ exit: code, requests }, stderr).toEqual({ exit: faulty.exit, requests: faulty.requests });
  for (const words of wordsOf(cell.fault, cell.verdict, endpoint.kind)) expect(stderr).toMatch(words);
  await stage.close();
});
