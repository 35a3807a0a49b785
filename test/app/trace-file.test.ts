import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTraceFile, type TraceFile } from '../../src/app/trace-file.ts';
import { harEntry } from '../../src/service/har-entry.ts';
import { createSecrets } from '../../src/service/secrets.ts';
import { harEntries, harProblems } from '../support/har-schema.ts';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-trace-'));
  file = path.join(folder, 'run.har');
});
afterEach(() => rm(folder, { recursive: true }));

/** The n-th request of a run. */
function entry(n: number, text = 'text') {
  const moment = Date.UTC(2026, 10, 21, 6, 30) + n;
  const exchange = {
    method: 'GET',
    url: new URL(`https://visuals.example.com/media/${n}/`),
    headers: {},
    body: undefined,
    start: moment,
    phases: { wait: 1, firstByte: 20, download: 2 },
    answer: {
      head: { statusCode: 200, statusMessage: 'OK', httpVersion: '1.1', rawHeaders: [] },
      bytes: text.length,
      text,
    },
  };
  return harEntry(exchange, createSecrets([]));
}

function open(): TraceFile {
  const opened = openTraceFile(file);
  if (!opened.ok) throw new Error(opened.error.problems[0]?.detail);
  return opened.value;
}

/** What the user is told instead. */
function refused(): string | undefined {
  const opened = openTraceFile(file);
  if (opened.ok) throw new Error('it was opened');
  expect(opened.error.exit).toBe(74);
  return opened.error.problems[0]?.detail?.replace(file, 'FILE');
}

describe('a trace file', () => {
  it('is a whole HAR file after every entry, for its owner only', async () => {
    const trace = open();
    for (let n = 0; n < 3; n++) {
      const content = await readFile(file, 'utf8');
      expect(harProblems(content)).toEqual([]);
      expect(harEntries(content)).toHaveLength(n);
      trace.add(entry(n));
    }
    expect(trace.close()).toBeUndefined();
    expect(harEntries(await readFile(file, 'utf8')).map(({ request }) => request.url)).toEqual([
      'https://visuals.example.com/media/0/',
      'https://visuals.example.com/media/1/',
      'https://visuals.example.com/media/2/',
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('replaces an older trace, whoever could read that one', async () => {
    const first = open();
    for (let n = 0; n < 50; n++) first.add(entry(n));
    first.close();
    await chmod(file, 0o644);
    const second = open();
    second.add(entry(7));
    second.close();
    const content = await readFile(file, 'utf8');
    expect(harProblems(content)).toEqual([]);
    expect(harEntries(content)).toHaveLength(1);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('holds nothing that acts on a terminal, and loses nothing of it', async () => {
    const hostile = '\u001b]52;c;aGk=\u0007\u009b31m\u202egnp.exe\r\b\u2028\u200b\u{e0041}';
    const trace = open();
    trace.add(entry(0, hostile));
    trace.close();
    const content = await readFile(file, 'utf8');
    expect(content.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
    expect(harEntries(content)[0]?.response.content.text).toBe(hostile);
  });
});

describe('a pipe', () => {
  it('gets the whole trace and stays a pipe', async () => {
    await promisify(execFile)('mkfifo', [file]);
    // The reader keeps what it gets in a file: this process writes without a pause, and takes nothing from a child meanwhile.
    const copy = `${file}.copy`;
    const reader = promisify(execFile)('sh', ['-c', 'cat "$0" > "$1"', file, copy]);
    // `cat` opens it as soon as it has started.
    let opened = openTraceFile(file);
    while (!opened.ok) {
      await setImmediate();
      opened = openTraceFile(file);
    }
    // More than a pipe holds at once.
    for (let n = 0; n < 40; n++) opened.value.add(entry(n, 'x'.repeat(5_000)));
    expect(opened.value.close()).toBeUndefined();
    await reader;
    const trace = await readFile(copy, 'utf8');
    expect(harProblems(trace)).toEqual([]);
    expect(harEntries(trace)).toHaveLength(40);
    expect((await stat(file)).isFIFO()).toBe(true);
  });

  it('of the system is no link to be refused: /dev/null takes all', async () => {
    file = '/dev/null';
    const trace = open();
    trace.add(entry(0));
    expect(trace.close()).toBeUndefined();
    expect((await stat(file)).isCharacterDevice()).toBe(true);
  });
});

describe('is refused', () => {
  it('over a file of another kind', async () => {
    await writeFile(file, '{"log":{"version":"1.2","creator":{"name":"Firefox"}}}');
    expect(refused()).toBe('FILE: it exists and is no trace of campaign. Name another file.');
    expect(await readFile(file, 'utf8')).toContain('Firefox');
  });

  it('over a folder, a link and a pipe without a reader', async () => {
    await mkdir(file);
    expect(refused()).toBe('FILE: it is a folder.');
    file = path.join(folder, 'link');
    await symlink('elsewhere', file);
    expect(refused()).toBe('FILE: it is a symbolic link.');
    file = path.join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [file]);
    expect(refused()).toBe('FILE: nobody reads what is written to it.');
    file = '/dev/fd';
    expect(refused()).toBe('FILE: it is a folder.');
  });

  it('in a folder that does not exist', () => {
    file = path.join(folder, 'none', 'run.har');
    expect(refused()).toBe('FILE: its folder does not exist.');
  });
});
