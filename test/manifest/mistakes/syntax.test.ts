import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

describe.concurrent('YAML that cannot be read', () => {
  it('a list without its end', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*
concepts: {}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:18
            |
          3 | product_folders: [photos/*
            |                  ^
          This list begins with \`[\` and is never closed. Write \`]\` where it ends.

        "
      `);
  });

  it('a map without its end', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night: { name: Night
  day: { name: Day }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:4:10
            |
          4 |   night: { name: Night
            |          ^
          This map begins with \`{\` and is never closed. Write \`}\` where it ends.

        "
      `);
  });

  it('quotes without their end', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: "Spring range
concepts: {}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:14
            |
          3 | description: "Spring range
            |              ^
          This text begins with \`"\` and is never closed. Write \`"\` where it ends.

        "
      `);
  });

  it('a tab as indentation', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
	night: {}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:4:1
            |
          4 |  night: {}
            | ^
          This line is indented with a tab, and YAML allows only spaces there. Replace it with spaces; most editors can insert spaces for the Tab key.

        "
      `);
  });

  it('a key in a column of its own', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
    night: {}
  day: {}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:5:3
            |
          5 |   day: {}
            |   ^^^^^^^
          This line is indented differently from the lines it belongs to. Give it as many spaces as the other entries of its list or map.

        "
      `);
  });

  it('a list entry in a column of its own', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders:
  - photos/*
 - more/*
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:5:2
            |
          5 |  - more/*
            |  ^^^^^^^^
          This line is indented differently from the lines it belongs to. Give it as many spaces as the other entries of its list or map.

        "
      `);
  });

  it('a key that is indented too far', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night:
    name: Night
      description: Neon
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:6:7
            |
          6 |       description: Neon
            |       ^^^^^^^^^^^^^^^^^
          This line is indented differently from the lines it belongs to. Give it as many spaces as the other entries of its list or map.

        "
      `);
  });

  it('a line without colon', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night
    name: Night
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:4:3
            |
          4 |   night
            |   ^^^^^
          A key needs a colon after it, and this line has none. Write \`night:\`, or indent the line if it continues the text above.

        "
      `);
  });

  it('a colon without space', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night:
    name:Night
    description: Neon
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:5:5
            |
          5 |     name:Night
            |     ^^^^^^^^^^
          A space is missing after the colon. Write \`name: Night\`.

        "
      `);
  });

  it('a colon inside a text', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night:
    description: Neon: wet asphalt
    name: Night
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:5:18
            |
          5 |     description: Neon: wet asphalt
            |                  ^^^^^^^^^^^^^^^^^
          A text with a colon and a space in it needs quotes, or it looks like another key: "Neon: wet asphalt".

        "
      `);
  });

  it('entries without comma', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  night: { name: Night description: Neon }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:4:18
            |
          4 |   night: { name: Night description: Neon }
            |                  ^^^^^^^^^^^^^^^^^^^^^^^
          A comma is missing between two entries here. Inside brackets and braces, commas separate the entries.

        "
      `);
  });

  it('a comma without entry', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service: { nothing_done: [409,, 503] }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:31
            |
          3 | service: { nothing_done: [409,, 503] }
            |                               ^
          There is no entry before this comma. Remove it.

        "
      `);
  });

  it('a bracket too many', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]]
concepts: {}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:28
            |
          3 | product_folders: [photos/*]]
            |                            ^
          \`]\` closes a bracket, but none is open here. Remove it.

        "
      `);
  });

  it('text behind quotes', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: "Spring" range
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:23
            |
          3 | description: "Spring" range
            |                       ^^^^^
          The value ends before this, at its closing quote or bracket. If another entry begins here, a comma is missing; otherwise put quotes around the whole text.

        "
      `);
  });

  it('a list beside its key', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: - photos/*
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:18
            |
          3 | product_folders: - photos/*
            |                  ^
          A list with \`- \` begins on the line below its key. Move it there and indent it, or write it in brackets.

        "
      `);
  });

  it('text behind the mark of a block', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: | Spring
  range
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:16
            |
          3 | description: | Spring
            |                ^^^^^^
          The text after \`|\` or \`>\` begins on the next line. Move it there and indent it.

        "
      `);
  });

  it('an expression in brackets without quotes', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, products: [\${{ vars.product }}], aspect_ratio: "1:1" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:7:40
            |
          7 |       - { post_type: image, products: [\${{ vars.product }}], aspect_ratio: "1:1" }
            |                                        ^^^^^^^^^^^^^^^^^^^
          Inside brackets and braces an expression needs quotes, or its own braces begin a map: "\${{ vars.product }}".

        "
      `);
  });

  it('an expression without its dollar sign', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: {{ vars.season }}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is not allowed [invalid-key]
          at campaign.yaml:3:15
            |
          3 | description: {{ vars.season }}
            |               ^^^^^^^^^^^^^^^
          Braces begin a map here. An expression is written with a dollar sign and in quotes: "\${{ vars.season }}".

        "
      `);
  });

  it('a text that begins with @', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: @spring
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:14
            |
          3 | description: @spring
            |              ^
          A text that begins with \`@\` needs quotes around it.

        "
      `);
  });

  it('a glob that looks like an alias', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [*/photos]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown alias [unknown-alias]
          at campaign.yaml:3:19
            |
          3 | product_folders: [*/photos]
            |                   ^^^^^^^^
          A text that begins with \`*\` repeats a value named with \`&\`, and no value above is named \`&/photos\`. If this is a text (a glob, for example), put it in quotes: "*/photos".

        "
      `);
  });

  it('an alias inside its own value', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: &all { night: *all }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown alias [unknown-alias]
          at campaign.yaml:3:25
            |
          3 | concepts: &all { night: *all }
            |                         ^^^^
          \`*all\` stands inside the value that \`&all\` names, so it would repeat itself without end. Write that part out.

        "
      `);
  });

  it('a backslash in double quotes', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: "C:\\photos"
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:17
            |
          3 | description: "C:\\photos"
            |                 ^^
          In double quotes a backslash starts a special character, and \`\\p\` is not one. Write \`\\\\p\`, or use single quotes.

        "
      `);
  });

  it('a tag', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: !important Spring
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:14
            |
          3 | description: !important Spring
            |              ^^^^^^^^^^
          In YAML \`!\` starts a tag, and a manifest has no tags. If \`!important\` belongs to the text, put the text in quotes.

        "
      `);
  });

  it('a percent sign at the margin', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `%spring
---
version: 1
name: x
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:1:1
            |
          1 | %spring
            | ^^^^^^^
          A line that begins with \`%\` is an instruction to YAML readers, and this one is unknown. Remove it.

        "
      `);
  });

  it('a second document', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
---
name: y
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:1
            |
          3 | ---
            | ^^^
          The line \`---\` starts a second document, and a manifest is a single one. Remove the line, or move what follows to a file of its own.

        "
      `);
  });

  it('a merge conflict', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
<<<<<<< HEAD
description: Spring
=======
description: Summer
>>>>>>> summer
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Merge conflict is not resolved [merge-conflict]
          at campaign.yaml:3:1
            |
          3 | <<<<<<< HEAD
            | ^^^^^^^^^^^^
          This is the mark of a merge conflict in git. Decide which lines hold, and remove the lines with \`<<<<<<<\`, \`=======\` and \`>>>>>>>\`.

        "
      `);
  });

  it('a merge key of anything but maps', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts:
  day: &day { description: Soft }
  night:
    <<: [*day, Neon]
    <<: *day
    name: Night
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at campaign.yaml:6:9
            |
          6 |     <<: [*day, Neon]
            |         ^^^^^^^^^^^^
          A merge key (\`<<\`) puts the members of other maps into this one. Its value is a map with a name (\`<<: *name\`), or a list of such.

        error: Key is written twice [duplicate-key]
          at campaign.yaml:7:5
            |
          7 |     <<: *day
            |     ^^
          "<<" stands in line 6 already; only one of the two would count. Write one list: \`<<: [*first, *second]\`.

        "
      `);
  });

  it('aliases that multiply', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
a: &a [x, x, x, x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e, *e, *e]
g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f, *f, *f]
h: &h [*g, *g, *g, *g, *g, *g, *g, *g, *g, *g, *g, *g]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Aliases multiply too often [too-many-aliases]
          at campaign.yaml:9:12
            |
          9 | g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f, *f, *f]
            |            ^^
          Aliases (\`*name\`) repeat lists of other aliases here, and a few lines become millions of values. Write out what is really needed.

        "
      `);
  });

  it('5,000 brackets', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
posts: ${'['.repeat(5_000)}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Nesting is too deep [too-deep]
          at campaign.yaml:3:71
            |
          3 | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
            |                                                   ^
          Lists or maps are nested more than 64 deep here, which no manifest needs. Remove the brackets or the spaces that are too many.

        "
      `);
  });

  it('brackets that are closed, and too many', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
posts: ${'['.repeat(80)}${']'.repeat(80)}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Nesting is too deep [too-deep]
          at campaign.yaml:3:71
            |
          3 | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
            |                                                   ^
          Lists or maps are nested more than 64 deep here, which no manifest needs. Remove the brackets or the spaces that are too many.

        "
      `);
  });

  it('some of all that, and other mistakes beside it', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: Spring
variables: { season: "a\\d" }
product_folders: [photos/*
concepts:
  night: { nmae: Night }
posts:
  a:
    concept: night
      items: []
  b: {}
limits: { concurrency: 0 }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at campaign.yaml:3:24
            |
          3 | variables: { season: "a\\d" }
            |                        ^^
          In double quotes a backslash starts a special character, and \`\\d\` is not one. Write \`\\\\d\`, or use single quotes.

        error: YAML syntax error [yaml-syntax]
          at campaign.yaml:4:18
            |
          4 | product_folders: [photos/*
            |                  ^
          This list begins with \`[\` and is never closed. Write \`]\` where it ends.

        error: Unknown key [unknown-key]
          at campaign.yaml:6:12
            |
          6 |   night: { nmae: Night }
            |            ^^^^
          There is no key "nmae" here, and passing over it could hide a mistake. Did you mean "name"?

        error: YAML syntax error [yaml-syntax]
          at campaign.yaml:10:7
             |
          10 |       items: []
             |       ^^^^^^^^^
          This line is indented differently from the lines it belongs to. Give it as many spaces as the other entries of its list or map.

        error: Value is not allowed [invalid-value]
          at campaign.yaml:12:24
             |
          12 | limits: { concurrency: 0 }
             |                        ^
          This must be at least 1. How many requests are under way at once (slots), default 8; or a map with the total and lower limits for single kinds of nodes. For example: 8

        "
      `);
  });
});
