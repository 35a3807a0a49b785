import { expect, it } from 'vitest';
import { startHeldService } from '../support/held-service.ts';
import { startOnScreen } from '../support/pty.ts';
import { CONFIG, FILE, makeObjects, makeRequest, medium, POLL } from './held-answers.ts';
import { API_KEY, campaignFolder, PNG, SINGLE, untilTestEnds } from './small-campaign.ts';

async function onScreen(columns: number, env: Readonly<Record<string, string>> = {}) {
  const service = await untilTestEnds(startHeldService());
  const { folder: cwd } = await campaignFolder(SINGLE, service);
  const own = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY, ...env };
  return { service, run: startOnScreen(['apply', 'm.yaml', '--yes'], { cwd, env: own }, { columns }) };
}

const BLOCK = /^ {2}posts /gm;

it('one block shows a run on a terminal, also after it was resized, and the summary takes its place', async () => {
  const { service, run } = await onScreen(80);
  await makeRequest(service);
  const poll = await service.next(POLL);
  const wide = await run.until(/waiting {3}1 generating, oldest:\n +0:0\d {2}media\/hero\/kitchen/);
  expect(wide).toMatch(/\n {2}posts {5}░{16} {2}0\/1 {2}0:0\d\n {2}requests {2}█{16} {2}4\/4\n/);
  expect(wide.match(BLOCK)).toHaveLength(1);
  run.resize(40);
  const narrow = await run.until(/\n {2}posts {5}0\/1 {2}0:0\d\n/);
  expect(narrow.match(BLOCK)).toHaveLength(1);
  run.resize(80);
  expect((await run.until(/\n {2}posts {5}░{16} {2}0\/1/)).match(BLOCK)).toHaveLength(1);
  // Nobody could wake it, so Ctrl-Z does not stop it.
  for (const keys of ['ls\r\r', '\u001A', '\r']) run.keys(keys);
  await run.until(/posts {5}░{16} {2}0\/1 {2}0:0[1-9]/);
  poll.respond(200, medium('success', { media_info: `${service.url}/files/1.png` }));
  (await service.next(FILE)).respondRaw(200, PNG, { 'content-type': 'image/png' });
  const end = await run.end();
  expect(end.match(BLOCK)).toBeNull();
  expect(end).toContain('\nApply complete: 4 created, 1 file downloaded.\n');
  expect(end).not.toMatch(/\n {2}(?:requests|waiting|files) /);
});

it('in CI, and on a terminal that knows no cursor, a run is lines without an escape', async () => {
  for (const env of [
    { CI: 'true', NO_COLOR: '1' },
    { TERM: 'dumb', NO_COLOR: '1' },
  ]) {
    const { service, run } = await onScreen(80, env);
    await makeRequest(service);
    const poll = await service.next(POLL);
    poll.respond(200, medium('success', { media_info: `${service.url}/files/1.png` }));
    (await service.next(FILE)).respondRaw(200, PNG, { 'content-type': 'image/png' });
    expect(await run.end()).toContain('Apply complete: 4 created, 1 file downloaded.\n');
    expect(run.written()).not.toContain(String.fromCharCode(27));
    expect(run.text()).not.toMatch(BLOCK);
  }
});

it('Ctrl-C says in the block what is awaited and what a second one does', async () => {
  const { service, run } = await onScreen(80, { LC_ALL: 'C', NO_COLOR: '1' });
  await makeObjects(service);
  const create = await service.next('POST /media-config/');
  run.keys('\u0003');
  const stopping = await run.until(/stopping {2}waiting for 1 create or update, at most 0:\d\d\n/);
  expect(stopping).toContain('Ctrl-C again ends now; unanswered creates need `campaign resolve`\n');
  expect(stopping).toMatch(/ {2}requests {2}#{12}\.{4} {2}3\/4 {2}1 requesting\n/);
  create.respond(201, CONFIG);
  expect(await run.end()).toContain('\nApply stopped: 3 created, 1 pending.\n');
});
