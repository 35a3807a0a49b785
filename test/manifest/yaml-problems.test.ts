import { describe, expect, it } from 'vitest';
import { problemsOf } from './campaign-folder.ts';

describe('text that is no manifest', () => {
  it('syntax', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts: [a
products: {}
`),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:4:1 «p»
        Flow sequence in block collection must be sufficiently indented and end with a ]."
    `);
  });

  it('tab as indentation', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts:
	grid: 1
`),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:4:1 «	»
        Tabs are not allowed as indentation."
    `);
  });

  it('two documents', async () => {
    expect(
      await problemsOf(`version: 1
name: x
---
name: y
`),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:3:1 «---»
        One file holds one document; put the second one into a file of its own."
    `);
  });

  it('an unknown tag', async () => {
    expect(
      await problemsOf(`version: 1
name: x
description: !secret abc
`),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:3:14 «!secret»
        Unresolved tag: !secret."
    `);
  });

  it('a key twice', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts:
  night: { name: A }
  day: {}
  night: { name: B }
`),
    ).toMatchInlineSnapshot(`
      "duplicate-key campaign.yaml:6:3 «night»
        "night" stands in line 4 already, and one of the two would be lost. Remove or rename one."
    `);
  });

  it('a key that is a list', async () => {
    expect(
      await problemsOf(`version: 1
name: x
? [a, b]
: 1
`),
    ).toMatchInlineSnapshot(`
      "invalid-key campaign.yaml:3:3 «[a, b]»
        A key is a word or a text."
    `);
  });

  it('a key without a name', async () => {
    expect(
      await problemsOf(`version: 1
name: x
? 
: 1
`),
    ).toMatchInlineSnapshot(`
      "invalid-key campaign.yaml:3:3 «»
        A key is a word or a text."
    `);
  });

  it('__proto__', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { __proto__: { name: x } }
`),
    ).toMatchInlineSnapshot(`
      "invalid-key campaign.yaml:3:13 «__proto__»
        A key is a word or a text."
    `);
  });

  it('an alias without anchor', async () => {
    expect(
      await problemsOf(`version: 1
name: x
description: *text
`),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:3:14 «*text»
        There is no anchor &text above."
    `);
  });

  it('an alias inside its own anchor', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts: &p { a: *p }
`),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:3:16 «*p»
        *p stands inside the value that it names."
    `);
  });

  it('a bomb of aliases', async () => {
    expect(
      await problemsOf(`version: 1
name: x
a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f]
h: &h [*g, *g, *g, *g, *g, *g, *g, *g, *g]
`),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:1:1 «version»
        Aliases multiply beyond every measure; write fewer of them."
    `);
  });

  it('a number that JSON has not', async () => {
    expect(
      await problemsOf(`version: 1
name: x
limits: { requests_per_second: .inf }
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:3:32 «.inf»
        Write a number with digits."
    `);
  });

  it('nesting without end', async () => {
    expect(
      await problemsOf(
        `[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[`,
      ),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:1:823 «[»
        Lists or maps are nested too deeply."
    `);
  });

  it('an empty file', async () => {
    expect(
      await problemsOf(`# nothing
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:1:1 «#»
        Expected a map, found nothing."
    `);
  });

  it('a list', async () => {
    expect(
      await problemsOf(`- a
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:1:1 «- a»
        Expected a map, found a list."
    `);
  });

  it('CRLF and a tab before the place', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: {	a: { nmae: y } }
`),
    ).toMatchInlineSnapshot(`
      "unknown-key campaign.yaml:3:18 «nmae»
        "nmae" is not a key here. Did you mean "name"?"
    `);
  });
});

describe('files that are not read', () => {
  it('another encoding', async () => {
    expect(await problemsOf(Buffer.from('version: 1\n', 'utf16le').fill(0xff, 0, 1))).toMatchInlineSnapshot(`
      "not-utf8
        campaign.yaml: Save the file in the encoding UTF-8."
    `);
  });

  it('more than 32 MB', async () => {
    expect(await problemsOf('#'.repeat(32 * 1024 * 1024 + 1))).toMatchInlineSnapshot(`
      "too-large
        campaign.yaml: A manifest has at most 32 MB. Use a matrix instead of a list."
    `);
  });

  it('no file', async () => {
    expect(await problemsOf('', { file: '/nowhere/campaign.yaml' })).toMatchInlineSnapshot(`
      "cannot-read
        /nowhere/campaign.yaml: There is no such file."
    `);
  });

  it('a folder', async () => {
    expect(await problemsOf('', { file: '/' })).toMatchInlineSnapshot(`
      "cannot-read
        /: This is a folder, not a file."
    `);
  });
});
