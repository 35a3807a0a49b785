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
      "yaml-syntax campaign.yaml:3:8 «[»
        This list begins with \`[\` and is never closed. Write \`]\` where it ends."
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
        This line is indented with a tab, and YAML allows only spaces there. Replace it with spaces; most editors can insert spaces for the Tab key."
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
        The line \`---\` starts a second document, and a manifest is a single one. Remove the line, or move what follows to a file of its own."
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
        In YAML \`!\` starts a tag, and a manifest has no tags. If \`!secret\` belongs to the text, put the text in quotes."
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
        "night" stands in line 4 already; only one of the two would count. Remove or rename one."
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
        A key is a name, not a list or a map. Write a name before the colon."
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
        There is no name before this colon. Write one, or remove the line."
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
        \`__proto__\` has a special meaning in JavaScript and cannot be a key. Choose another name."
    `);
  });

  it('an alias without anchor', async () => {
    expect(
      await problemsOf(`version: 1
name: x
description: *text
`),
    ).toMatchInlineSnapshot(`
      "unknown-alias campaign.yaml:3:14 «*text»
        A text that begins with \`*\` repeats a value named with \`&\`, and no value above is named \`&text\`. If this is a text (a glob, for example), put it in quotes: "*text"."
    `);
  });

  it('an alias inside its own anchor', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts: &p { a: *p }
`),
    ).toMatchInlineSnapshot(`
      "unknown-alias campaign.yaml:3:16 «*p»
        \`*p\` stands inside the value that \`&p\` names, so it would repeat itself without end. Write that part out."
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
      "too-many-aliases campaign.yaml:9:40 «*f»
        Aliases (\`*name\`) repeat lists of other aliases here, and a few lines become millions of values. Write out what is really needed."
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
        This is not a number that can be used here. Write one with digits."
    `);
  });

  it('nesting without end', async () => {
    expect(
      await problemsOf(
        `[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[`,
      ),
    ).toMatchInlineSnapshot(`
      "too-deep campaign.yaml:1:64 «[»
        Lists or maps are nested more than 64 deep here, which no manifest needs. Remove the brackets or the spaces that are too many."
    `);
  });

  it('an empty file', async () => {
    expect(
      await problemsOf(`# nothing
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:1:1 «#»
        This file is empty. A manifest has at least the keys version and name."
    `);
  });

  it('a list', async () => {
    expect(
      await problemsOf(`- a
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:1:1 «- a»
        This file is a list, not a map of keys and values. A manifest has at least the keys version and name."
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
        There is no key "nmae" here, and passing over it could hide a mistake. Did you mean "name"?"
    `);
  });
});

describe('files that are not read', () => {
  it('another encoding', async () => {
    expect(await problemsOf(Buffer.from('version: 1\n', 'utf16le').fill(0xff, 0, 1))).toMatchInlineSnapshot(`
      "not-utf8
        campaign.yaml: The text is in UTF-16, and only UTF-8 is read. Save the file as UTF-8."
    `);
  });

  it('more than 32 MB', async () => {
    expect(await problemsOf('#'.repeat(32 * 1024 * 1024 + 1))).toMatchInlineSnapshot(`
      "too-large
        campaign.yaml: It has 33 MB; at most 32 MB are read. Write a matrix instead of long lists, or split the campaign."
    `);
  });

  it('no file', async () => {
    expect(await problemsOf('', { file: '/nowhere/campaign.yaml' })).toMatchInlineSnapshot(`
      "cannot-read
        /nowhere/campaign.yaml: There is no such file. Check the name, and that a link does not lead nowhere."
    `);
  });

  it('a folder', async () => {
    expect(await problemsOf('', { file: '/' })).toMatchInlineSnapshot(`
      "not-a-file
        /: This is a folder, not a YAML file."
    `);
  });
});
