import { describe, expect, it } from 'vitest';
import { problemsOf } from './campaign-folder.ts';

/** The problems of several texts below the same head, one after the other. */
async function problemsOfAll(...texts: readonly string[]): Promise<string> {
  const found = await Promise.all(texts.map((text) => problemsOf(`version: 1\nname: x\n${text}`)));
  return found.join('\n');
}

describe('syntax errors in our words', () => {
  it('brackets', async () => {
    expect(
      await problemsOfAll(
        'concepts:\n  a: { name: [x, y }\n',
        'concepts:\n  a: { name: x',
        'concepts: { a: {} }}\n',
        'product_folders: [a b: c, d]\n',
        'product_folders: [{a: 1} {b: 2}]\n',
        'product_folders: [a,,b]\n',
      ),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:4:14 «[»
        This list begins with \`[\` and is never closed. Write \`]\` where it ends.
      yaml-syntax campaign.yaml:4:6 «{»
        This map begins with \`{\` and is never closed. Write \`}\` where it ends.
      yaml-syntax campaign.yaml:3:20 «}»
        \`}\` closes a bracket, but none is open here. Remove it.
      wrong-type campaign.yaml:3:19 «a b: c»
        This must be a text, but it is a map.
      yaml-syntax campaign.yaml:3:26 «{»
        The value ends before this, at its closing quote or bracket. If another entry begins here, a comma is missing; otherwise put quotes around the whole text.
      no-match campaign.yaml:3:19 «a»
        No folder matches "a". Check the spelling, and that the photos are there.
      yaml-syntax campaign.yaml:3:21 «,»
        There is no entry before this comma. Remove it.
      no-match campaign.yaml:3:22 «b»
        No folder matches "b". Check the spelling, and that the photos are there."
    `);
  });

  it('quotes', async () => {
    expect(
      await problemsOfAll(
        "description: 'it's\n",
        "description: 'spring\n",
        'description: "spring\nconcepts: {}\n',
        'description: "\\d"\n',
        'description: "spring" summer\n',
        'description: say "a: b" now\n',
      ),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:3:18 «s»
        The value ends before this, at its closing quote or bracket. If another entry begins here, a comma is missing; otherwise put quotes around the whole text.
      yaml-syntax campaign.yaml:3:14 «'»
        This text begins with \`'\` and is never closed. Write \`'\` where it ends.
      yaml-syntax campaign.yaml:3:14 «"»
        This text begins with \`"\` and is never closed. Write \`"\` where it ends.
      yaml-syntax campaign.yaml:3:15 «\\d»
        In double quotes a backslash starts a special character, and \`\\d\` is not one. Write \`\\\\d\`, or use single quotes.
      yaml-syntax campaign.yaml:3:23 «summer»
        The value ends before this, at its closing quote or bracket. If another entry begins here, a comma is missing; otherwise put quotes around the whole text.
      yaml-syntax campaign.yaml:3:14 «say "a: b" now»
        A text with a colon and a space in it needs quotes, or it looks like another key: 'say "a: b" now'."
    `);
  });

  it('indentation', async () => {
    expect(
      await problemsOfAll(
        'concepts:\n    a: {}\n  b: {}\n',
        'product_folders:\n  - a\n - b\n',
        'concepts:\n  a:\n    name: A\n      description: B\n',
        'description: x\n  concepts: {}\n',
        'concepts:\n\ta: {}\n',
        'description: |\n    a\n  b\nconcepts: {}\n',
      ),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:5:3 «b: {}»
        This line is indented differently from the lines it belongs to. Give it as many spaces as the other entries of its list or map.
      yaml-syntax campaign.yaml:5:2 «- b»
        This line is indented differently from the lines it belongs to. Give it as many spaces as the other entries of its list or map.
      yaml-syntax campaign.yaml:6:7 «description: B»
        This line is indented differently from the lines it belongs to. Give it as many spaces as the other entries of its list or map.
      yaml-syntax campaign.yaml:4:3 «concepts: {}»
        This line is indented differently from the lines it belongs to. Give it as many spaces as the other entries of its list or map.
      yaml-syntax campaign.yaml:4:1 «	»
        This line is indented with a tab, and YAML allows only spaces there. Replace it with spaces; most editors can insert spaces for the Tab key.
      yaml-syntax campaign.yaml:5:3 «b»
        This line is indented differently from the lines it belongs to. Give it as many spaces as the other entries of its list or map."
    `);
  });

  it('colons', async () => {
    expect(
      await problemsOfAll(
        'concepts\n',
        'concepts:\n  a\n  b: {}\n',
        'concepts:\n  a:{}\n  b: {}\n',
        'description: Neon: wet "asphalt"\n',
        'description: - a\n',
        'description: > Neon\n  wet\n',
      ),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:3:1 «concepts»
        A key needs a colon after it, and this line has none. Write \`concepts:\`, or indent the line if it continues the text above.
      yaml-syntax campaign.yaml:4:3 «a»
        A key needs a colon after it, and this line has none. Write \`a:\`, or indent the line if it continues the text above.
      yaml-syntax campaign.yaml:4:3 «a:{}»
        A space is missing after the colon. Write \`a: {}\`.
      yaml-syntax campaign.yaml:3:14 «Neon: wet "asphalt"»
        A text with a colon and a space in it needs quotes, or it looks like another key: 'Neon: wet "asphalt"'.
      yaml-syntax campaign.yaml:3:14 «-»
        A list with \`- \` begins on the line below its key. Move it there and indent it, or write it in brackets.
      yaml-syntax campaign.yaml:3:16 «Neon»
        The text after \`|\` or \`>\` begins on the next line. Move it there and indent it."
    `);
  });

  it('expressions', async () => {
    expect(
      await problemsOfAll(
        'variables: { a: ${{ vars.b }} }\n',
        'product_folders: [${{ vars.b ]\n',
        'description: {{ vars.b }}\n',
      ),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:3:17 «\${{ vars.b }}»
        Inside brackets and braces an expression needs quotes, or its own braces begin a map: "\${{ vars.b }}".
      yaml-syntax campaign.yaml:3:19 «\${»
        Inside brackets and braces an expression needs quotes, or its own braces begin a map: "\${{ … }}".
      invalid-key campaign.yaml:3:15 «{ vars.b }»
        Braces begin a map here. An expression is written with a dollar sign and in quotes: "\${{ vars.b }}"."
    `);
  });

  it('what YAML has and a manifest has not', async () => {
    expect(
      await problemsOfAll(
        'description: @x\n',
        'description: !x y\n',
        'description: &a &b c\n',
        'concepts: { a: &a {}, b: &b *a }\n',
        '<<<<<<< HEAD\n=======\n>>>>>>> b\n',
        '---\nname: y\n',
        `${'x'.repeat(1_030)}: y\n`,
        'posts:\n  - a\n  b: c\n',
        `posts: ${'[a,'.repeat(70)}\n`,
        `posts:\n${' '.repeat(300)}a: b\n`,
      ),
    ).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:3:14 «@»
        A text that begins with \`@\` needs quotes around it.
      yaml-syntax campaign.yaml:3:14 «!x»
        In YAML \`!\` starts a tag, and a manifest has no tags. If \`!x\` belongs to the text, put the text in quotes.
      yaml-syntax campaign.yaml:3:17 «&b»
        A node can have at most one anchor. Remove the surplus, or put the text in quotes.
      yaml-syntax campaign.yaml:3:29 «*a»
        An alias node must not specify any properties. Remove the surplus, or put the text in quotes.
      merge-conflict campaign.yaml:3:1 «<<<<<<< HEAD»
        This is the mark of a merge conflict in git. Decide which lines hold, and remove the lines with \`<<<<<<<\`, \`=======\` and \`>>>>>>>\`.
      yaml-syntax campaign.yaml:3:1 «---»
        The line \`---\` starts a second document, and a manifest is a single one. Remove the line, or move what follows to a file of its own.
      yaml-syntax campaign.yaml:3:1 «xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx»
        The YAML reader says: The : indicator must be at most 1024 chars after the start of an implicit block mapping key.
      yaml-syntax campaign.yaml:5:3 «b: c»
        This line is indented differently from the lines it belongs to. Give it as many spaces as the other entries of its list or map.
      too-deep campaign.yaml:3:197 «[»
        Lists or maps are nested more than 64 deep here, which no manifest needs. Remove the brackets or the spaces that are too many.
      too-deep campaign.yaml:4:301 «a»
        Lists or maps are nested more than 64 deep here, which no manifest needs. Remove the brackets or the spaces that are too many."
    `);
  });

  it('stop at a hundred', async () => {
    const problems = await problemsOfAll(`variables:\n${'  a: "\\d"\n'.repeat(150)}`);
    expect(problems.match(/yaml-syntax/g)).toHaveLength(100);
  });
});

describe('aliases', () => {
  it('may repeat a word ten thousand times', async () => {
    const items = '      - { post_type: *kind, aspect_ratio: "1:1" }\n'.repeat(10_001);
    expect(
      await problemsOfAll(
        `defaults: { item: { post_type: &kind image } }\nposts:\n  a:\n    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f\n    items:\n${items}`,
      ),
    ).toBe('');
  });

  it('may not make millions of values', async () => {
    const lists = 'abcdefgh'.split('').map((name, index, all) => {
      const inner = index === 0 ? '{ k: x }' : `*${all[index - 1] ?? ''}`;
      return `  ${name}: &${name} { ${Array.from({ length: 12 }, (_, key) => `k${key}: ${inner}`).join(', ')} }`;
    });
    expect(await problemsOfAll(`concepts:\n${lists.join('\n')}\n`)).toMatchInlineSnapshot(`
      "too-many-aliases campaign.yaml:9:87 «*e»
        Aliases (\`*name\`) repeat lists of other aliases here, and a few lines become millions of values. Write out what is really needed."
    `);
  });
});
