import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

const TEXT = `version: 1
name: x
concepts:
  night: { nmae: Night }
`;

describe('a manifest', () => {
  it('that is not there', async () => {
    expect(await mistake(TEXT, { file: 'spring.yaml' })).toMatchInlineSnapshot();
  });

  it('that is a folder without one', async () => {
    expect(await mistake(TEXT, { file: 'photos', files: { photos: 'folder' } })).toMatchInlineSnapshot();
  });

  it('that is a link to nothing', async () => {
    const files = { 'spring.yaml': { link: 'gone.yaml' } };
    expect(await mistake(TEXT, { file: 'spring.yaml', files })).toMatchInlineSnapshot();
  });

  it('that is a pipe', async () => {
    const files = { 'spring.yaml': 'pipe' } as const;
    expect(await mistake(TEXT, { file: 'spring.yaml', files })).toMatchInlineSnapshot();
  });

  it('that never ends', async () => {
    expect(await mistake(TEXT, { file: '/dev/zero' })).toMatchInlineSnapshot();
  });

  it('of 50 MB', async () => {
    const files = { 'spring.yaml': { bytes: 50 * 1024 ** 2 } };
    expect(await mistake(TEXT, { file: 'spring.yaml', files })).toMatchInlineSnapshot();
  });

  it('in UTF-16', async () => {
    const text = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');
    expect(await mistake(text)).toMatchInlineSnapshot();
  });

  it('in UTF-16 without its mark', async () => {
    expect(await mistake(Buffer.from(TEXT, 'utf16le'))).toMatchInlineSnapshot();
  });

  it('in Latin 1', async () => {
    const text = Buffer.from('version: 1\nname: x\ndescription: Frühling\n', 'latin1');
    expect(await mistake(text)).toMatchInlineSnapshot();
  });

  it('with a byte order mark, Windows line ends and tabs has its columns right', async () => {
    const text = `\uFEFF${TEXT.replace('{ nmae', '{\tnmae').replaceAll('\n', '\r\n')}`;
    expect(await mistake(text)).toMatchInlineSnapshot();
  });

  it('with a byte order mark has the columns of its first line right', async () => {
    expect(await mistake('\uFEFFversoin: 1\nname: x\n')).toMatchInlineSnapshot();
  });

  it('with control characters moves no cursor', async () => {
    const text = `version: 1
name: x
concepts:
  night: { "na\\e[2Jme\\a": "\u001b]52;c;aGk=\u0007", "\u202eeman": 1, \u001b[31mred: 1 }
`;
    const printed = await mistake(text);
    // oxlint-disable-next-line no-control-regex -- nothing of this may reach a terminal
    expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(printed).toMatchInlineSnapshot();
  });

  it('with a line of a thousand characters shows the part that matters', async () => {
    const text = `version: 1\nname: x\nconcepts: { night: { description: "${'a'.repeat(1_000)}", nmae: Night } }\n`;
    expect(await mistake(text)).toMatchInlineSnapshot();
  });
});
