import { Buffer } from 'node:buffer';
import { describe, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

const TEXT = `version: 1
name: x
concepts:
  night: { nmae: Night }
`;

describe.concurrent('a manifest', () => {
  it('that is not there', async (test) => {
    test.expect(await mistake(test, TEXT, { file: 'spring.yaml' })).toMatchInlineSnapshot(`
      "error: No such manifest [no-manifest]
        spring.yaml does not exist. Name a manifest, or run campaign where a campaign.yaml is.

      "
    `);
  });

  it('that is a folder without one', async (test) => {
    test
      .expect(await mistake(test, TEXT, { file: 'photos', files: { photos: 'folder' } }))
      .toMatchInlineSnapshot(`
        "error: No manifest in the folder [no-manifest]
          photos holds no campaign.yaml and no *.campaign.yaml.

        "
      `);
  });

  it('that is a link to nothing', async (test) => {
    const files = { 'spring.yaml': { link: 'gone.yaml' } };
    test.expect(await mistake(test, TEXT, { file: 'spring.yaml', files })).toMatchInlineSnapshot(`
      "error: No such manifest [no-manifest]
        spring.yaml does not exist. Name a manifest, or run campaign where a campaign.yaml is.

      "
    `);
  });

  it('that is a pipe', async (test) => {
    const files = { 'spring.yaml': 'pipe' } as const;
    test.expect(await mistake(test, TEXT, { file: 'spring.yaml', files })).toMatchInlineSnapshot(`
      "error: Not an ordinary file [not-a-file]
        spring.yaml: This is a pipe or a device, and reading it might never end. Save the text as a file.

      "
    `);
  });

  it('that never ends', async (test) => {
    test.expect(await mistake(test, TEXT, { file: '/dev/zero' })).toMatchInlineSnapshot(`
      "error: Not an ordinary file [not-a-file]
        /dev/zero: This is a pipe or a device, and reading it might never end. Save the text as a file.

      "
    `);
  });

  it('of 50 MB', async (test) => {
    const files = { 'spring.yaml': { bytes: 50 * 1024 ** 2 } };
    test.expect(await mistake(test, TEXT, { file: 'spring.yaml', files })).toMatchInlineSnapshot(`
      "error: File is too large [too-large]
        spring.yaml: It has 50 MB; at most 32 MB are read. Write a matrix instead of long lists, or split the campaign.

      "
    `);
  });

  it('in UTF-16', async (test) => {
    const text = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');
    test.expect(await mistake(test, text)).toMatchInlineSnapshot(`
      "error: File is not UTF-8 text [not-utf8]
        campaign.yaml: The text is in UTF-16, and only UTF-8 is read. Save the file as UTF-8.

      "
    `);
  });

  it('in UTF-16 without its mark', async (test) => {
    test.expect(await mistake(test, Buffer.from(TEXT, 'utf16le'))).toMatchInlineSnapshot(`
      "error: File is not UTF-8 text [not-utf8]
        campaign.yaml: The text is in UTF-16, and only UTF-8 is read. Save the file as UTF-8.

      "
    `);
  });

  it('in Latin 1', async (test) => {
    const text = Buffer.from('version: 1\nname: x\ndescription: Frühling\n', 'latin1');
    test.expect(await mistake(test, text)).toMatchInlineSnapshot(`
      "error: File is not UTF-8 text [not-utf8]
        campaign.yaml: A character in line 3 is not UTF-8; the text is probably in Windows-1252 (Latin-1). Save the file as UTF-8.

      "
    `);
  });

  it('with a byte order mark, Windows line ends and tabs has its columns right', async (test) => {
    const text = `\uFEFF${TEXT.replace('{ nmae', '{\tnmae').replaceAll('\n', '\r\n')}`;
    test.expect(await mistake(test, text)).toMatchInlineSnapshot(`
      "error: Unknown key [unknown-key]
        at campaign.yaml:4:12
          |
        4 |   night: { nmae: Night }
          |            ^^^^
        There is no key "nmae" here, and passing over it could hide a mistake. Did you mean "name"?

      "
    `);
  });

  it('with a byte order mark has the columns of its first line right', async (test) => {
    test.expect(await mistake(test, '\uFEFFversoin: 1\nname: x\n')).toMatchInlineSnapshot(`
      "error: Unknown key [unknown-key]
        at campaign.yaml:1:1
          |
        1 | versoin: 1
          | ^^^^^^^
        There is no key "versoin" here, and passing over it could hide a mistake. Did you mean "version"?

      "
    `);
  });

  it('with control characters moves no cursor', async (test) => {
    const text = `version: 1
name: x
concepts:
  night: { "na\\e[2Jme\\a": "\u001b]52;c;aGk=\u0007", "\u202eeman": 1, "\u001b[31mred": 1 }
`;
    const printed = await mistake(test, text);
    // oxlint-disable-next-line no-control-regex -- nothing of this may reach a terminal
    test.expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    test.expect(printed).toMatchInlineSnapshot(`
      "error: Unknown key [unknown-key]
        at campaign.yaml:4:12
          |
        4 |   night: { "na\\e[2Jme\\a": " ]52;c;aGk= ", " eman": 1, " [31mred": 1 }
          |            ^^^^^^^^^^^^^
        There is no key "name" here, and passing over it could hide a mistake. Known keys: name, description, ref_images, id, vars.

      error: Unknown key [unknown-key]
        at campaign.yaml:4:43
          |
        4 |   night: { "na\\e[2Jme\\a": " ]52;c;aGk= ", " eman": 1, " [31mred": 1 }
          |                                           ^^^^^^^
        There is no key "eman" here, and passing over it could hide a mistake. Known keys: name, description, ref_images, id, vars.

      error: Unknown key [unknown-key]
        at campaign.yaml:4:55
          |
        4 |   night: { "na\\e[2Jme\\a": " ]52;c;aGk= ", " eman": 1, " [31mred": 1 }
          |                                                       ^^^^^^^^^^
        There is no key "red" here, and passing over it could hide a mistake. Known keys: name, description, ref_images, id, vars.

      "
    `);
  });

  it('with a line of a thousand characters shows the part that matters', async (test) => {
    const text = `version: 1\nname: x\nconcepts: { night: { description: "${'a'.repeat(1_000)}", nmae: Night } }\n`;
    test.expect(await mistake(test, text)).toMatchInlineSnapshot(`
      "error: Unknown key [unknown-key]
        at campaign.yaml:3:1039
          |
        3 | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nmae: Night } }
          |                                                                                      ^^^^
        There is no key "nmae" here, and passing over it could hide a mistake. Did you mean "name"?

      "
    `);
  });
});
