import { describe, expect, it } from 'vitest';
import { problemsOf } from './campaign-folder.ts';

describe('what does not fit the schema', () => {
  it('an unknown key', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts:
  night:
    desciption: Neon
`),
    ).toMatchInlineSnapshot(`
      "unknown-key campaign.yaml:5:5 «desciption»
        There is no key "desciption" here, and passing over it could hide a mistake. Did you mean "description"?"
    `);
  });

  it('an unknown key far from any', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts:
  night: { zzzzzzz: 1 }
`),
    ).toMatchInlineSnapshot(`
      "unknown-key campaign.yaml:4:12 «zzzzzzz»
        There is no key "zzzzzzz" here, and passing over it could hide a mistake. Known keys: name, description, ref_images, id, vars."
    `);
  });

  it('a text torn at its comma', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts:
  night: { name: Night, description: Neon, wet asphalt }
`),
    ).toMatchInlineSnapshot(`
      "unknown-key campaign.yaml:4:44 «wet asphalt»
        There is no key "wet asphalt" here, and passing over it could hide a mistake. If it belongs to the text before the comma, put that in quotes: "Neon, wet asphalt"."
    `);
  });

  it('a mistyped required key is one problem', async () => {
    expect(
      await problemsOf(`version: 1
nmae: x
`),
    ).toMatchInlineSnapshot(`
      "unknown-key campaign.yaml:2:1 «nmae»
        There is no key "nmae" here, and passing over it could hide a mistake. Did you mean "name"?"
    `);
  });

  it('required keys', async () => {
    expect(
      await problemsOf(`concepts: {}
`),
    ).toMatchInlineSnapshot(`
      "missing-key campaign.yaml:1:1 «concepts»
        \`version\` is missing here. The version of this file format. Later versions of campaign keep its defaults. For example: version: 1
      missing-key campaign.yaml:1:1 «concepts»
        \`name\` is missing here. The key of the campaign, to which its state belongs: lower-case letters, digits, \`.\`, \`_\` and \`-\`, at most 63. For example: name: spring-launch"
    `);
  });

  it('a required key in a list', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts:
  a:
    concept: b
    items:
      - { post_type: image, aspect_ratio: '1:1', assets: [{ type: product }] }
`),
    ).toMatchInlineSnapshot(`
      "unknown-concept campaign.yaml:5:14 «b»
        There is no concept "b" in this manifest. There are none yet: write it under \`concepts:\`.
      missing-key campaign.yaml:7:59 «{ type: product }»
        \`product_id\` is missing here. Key (or id) of the product. For example: product_id: tote"
    `);
  });

  it('version 2', async () => {
    expect(
      await problemsOf(`version: 2
name: x
`),
    ).toMatchInlineSnapshot(`
      "unsupported-version campaign.yaml:1:10 «2»
        This release of campaign reads version 1 of the format. Write \`version: 1\`, or take a newer release."
    `);
  });

  it('a name in capitals', async () => {
    expect(
      await problemsOf(`version: 1
name: Spring
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:2:7 «Spring»
        A name has lower-case letters, digits, \`.\`, \`_\` and \`-\`, begins with a letter or a digit, and has at most 63 characters. Write "spring", for example."
    `);
  });

  it('a key with a space', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { 'a b': {} }
`),
    ).toMatchInlineSnapshot(`
      "invalid-key campaign.yaml:3:13 «'a b'»
        "a b" cannot be a name here. A name has lower-case letters, digits, \`.\`, \`_\` and \`-\`, begins with a letter or a digit, and has at most 63 characters. Write "a-b", for example."
    `);
  });

  it('a variable with a bad name', async () => {
    expect(
      await problemsOf(`version: 1
name: x
variables: { '1x': 1 }
`),
    ).toMatchInlineSnapshot(`
      "invalid-key campaign.yaml:3:14 «'1x'»
        "1x" cannot be a name here. A name here has letters, digits, \`_\` and \`-\`, and begins with a letter, so that \`\${{ … }}\` can name it."
    `);
  });

  it('a number whose quotes alone would not help gets an example', async () => {
    expect(
      await problemsOf(`version: 1
name: x
products: { mug: { id: 4711 } }
limits: { media_timeout: 30 }
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:3:24 «4711»
        This must be a text or a map (\`key: value\`), but it is the number 4711. For example: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
      wrong-type campaign.yaml:4:26 «30»
        This must be a text, but it is the number 30. For example: 30m"
    `);
  });

  it('wrong types', async () => {
    expect(
      await problemsOf(`version: 'one'
name: 2024
description:
limits: []
product_folders: { a: b }
concepts: night
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:1:10 «'one'»
        This must be a whole number, but it is a text. For example: 1
      wrong-type campaign.yaml:2:7 «2024»
        This must be a text, but it is the number 2024. Put it in quotes: "2024".
      wrong-type campaign.yaml:3:1 «description»
        This must be a text, but it is empty. For example: Spring range
      wrong-type campaign.yaml:4:1 «limits»
        This must be a map (\`key: value\`), but it is a list. For example: {"concurrency":8,"media_in_flight":200,"media_timeout":"30m"}
      wrong-type campaign.yaml:5:1 «product_folders»
        This must be a list, but it is a map. For example: ["photos/*"]
      wrong-type campaign.yaml:6:11 «night»
        This must be a map (\`key: value\`), but it is a text. For example: {"night":{"name":"Night","description":"Neon, wet asphalt"}}"
    `);
  });

  it('two types are allowed', async () => {
    expect(
      await problemsOf(`version: 1
name: x
limits: { concurrency: fast }
outputs: 3
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:3:24 «fast»
        This must be a whole number or a map (\`key: value\`), but it is a text. For example: 8
      wrong-type campaign.yaml:4:10 «3»
        This must be true or false or a map (\`key: value\`), but it is the number 3. For example: {"dir":"out/\${{ vars.env }}","name":"{post}/{instance}/{item}-{post_type}"}"
    `);
  });

  it('outputs: true', async () => {
    expect(
      await problemsOf(`version: 1
name: x
outputs: true
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:3:10 «true»
        \`true\` has no meaning here: remove the key for the defaults, or write \`false\` or a map. Where finished files go and what they are called; false downloads nothing. For example: {"dir":"out/\${{ vars.env }}","name":"{post}/{instance}/{item}-{post_type}"}"
    `);
  });

  it('an unknown kind of post', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: vidoe, aspect_ratio: '1:1' }
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:7:22 «vidoe»
        "vidoe" is not possible here. Possible values: image, video, carousel. Did you mean "video"?"
    `);
  });

  it('a kind of post like no other', async () => {
    expect(
      await problemsOf(`version: 1
name: x
defaults: { item: { post_type: story } }
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:3:32 «story»
        "story" is not possible here. Possible values: image, video, carousel."
    `);
  });

  it('an item key of digits', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts: { a: { concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f, items: [{ key: '12', post_type: image, aspect_ratio: '1:1' }] } }
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:3:77 «'12'»
        The key of an item has lower-case letters, digits, \`.\`, \`_\` and \`-\`, and not digits alone: numbers are what items without a key get. For example: kitchen"
    `);
  });

  it('numbers out of range', async () => {
    expect(
      await problemsOf(`version: 1
name: x
limits: { concurrency: 0, requests_per_second: 0, media_in_flight: 1.5 }
service: { nothing_done: [200, 700] }
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:3:24 «0»
        This must be at least 1. How many requests are under way at once (slots), default 8; or a map with the total and lower limits for single kinds of nodes. For example: 8
      invalid-value campaign.yaml:3:48 «0»
        This must be more than 0. Upper bound of the rate of requests. Default: none. For example: 50
      wrong-type campaign.yaml:3:68 «1.5»
        This must be a whole number, but it is the number 1.5. For example: 200
      invalid-value campaign.yaml:4:27 «200»
        This must be at least 400.
      invalid-value campaign.yaml:4:32 «700»
        This must be at most 599."
    `);
  });

  it('a duration without unit', async () => {
    expect(
      await problemsOf(`version: 1
name: x
limits: { media_timeout: '30' }
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:3:26 «'30'»
        A duration is a number with its unit: ms, s, m, h or d. For example: 30m"
    `);
  });

  it('an id that is no UUID', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { night: { id: 12-34 } }
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:3:26 «12-34»
        The id of an object that the service has already is a UUID: 32 hexadecimal digits in five groups. For example: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f"
    `);
  });

  it('empty values', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { night: { name: '', ref_images: [], id: {} } }
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:3:28 «''»
        This text is empty: write one, or remove the key. The name that the service shows. Default: the key of the concept. For example: Night
      invalid-value campaign.yaml:3:32 «ref_images»
        This list is empty: fill it in, or remove the key. A folder, a file, a glob, an https URL, or a list of these. For example: photos/tote
      invalid-value campaign.yaml:3:48 «id»
        This map is empty: fill it in, or remove the key. The object exists already: it is used and never changed. A UUID holds in every environment but the emulator; or a map of environment names to UUIDs. For example: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f"
    `);
  });

  it('all of them in one pass', async () => {
    expect(
      await problemsOf(`version: 1
name: x
foo: 1
concepts: { a: { nam: b } }
posts:
  p:
    concept: c
    items:
      - { post_type: 5, aspect_ratio: '1:1', products: [nope] }
      - { post_type: image, products: [also-nope] }
`),
    ).toMatchInlineSnapshot(`
      "unknown-key campaign.yaml:3:1 «foo»
        There is no key "foo" here, and passing over it could hide a mistake. Known keys: version, name, description, service, variables, defaults, product_folders, product_tables, products, concepts, posts, limits, budget, outputs, moved.
      unknown-key campaign.yaml:4:18 «nam»
        There is no key "nam" here, and passing over it could hide a mistake. Did you mean "name"?
      unknown-concept campaign.yaml:7:14 «c»
        There is no concept "c" in this manifest. Known concepts: a.
      wrong-type campaign.yaml:9:22 «5»
        This must be a text, but it is the number 5. For example: image
      unknown-product campaign.yaml:9:57 «nope»
        There is no product "nope" in this manifest. There are none yet: write it under \`products:\` or \`product_folders:\`.
      missing-key campaign.yaml:10:9 «{ post_type: image, products: [also-nope] }»
        This item has no \`aspect_ratio\`. Write one, such as "4:5", here or under \`defaults: item:\`.
      unknown-product campaign.yaml:10:40 «also-nope»
        There is no product "also-nope" in this manifest. There are none yet: write it under \`products:\` or \`product_folders:\`."
    `);
  });
});

describe('secrets', () => {
  it('api_key in an environment', async () => {
    expect(
      await problemsOf(`version: 1
name: x
service:
  environments:
    stage: { base_url: https://a.example.com, api_key: s3cr3t }
`),
    ).toMatchInlineSnapshot(`
      "secret-in-manifest campaign.yaml:5:47 «api_key»
        \`api_key\` does not belong in a file that is kept in git: everyone with a copy could read it. Put the API key into an environment variable and name that variable with \`api_key_env\` (without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced."
    `);
  });

  it('api_key under service, beside another problem', async () => {
    expect(
      await problemsOf(`version: 1
name: x
service: { foo: 1, api_key: s3cr3t }
`),
    ).toMatchInlineSnapshot(`
      "unknown-key campaign.yaml:3:12 «foo»
        There is no key "foo" here, and passing over it could hide a mistake. Known keys: environments, default_environment, media_path, statuses, upload_url, max_upload_bytes, form, media_urls, nothing_done, on_unknown, timeouts, tls.
      secret-in-manifest campaign.yaml:3:20 «api_key»
        \`api_key\` does not belong in a file that is kept in git: everyone with a copy could read it. Put the API key into an environment variable and name that variable with \`api_key_env\` (without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced."
    `);
  });

  it('api_key at the top', async () => {
    expect(
      await problemsOf(`version: 1
name: x
api_key: s3cr3t
`),
    ).toMatchInlineSnapshot(`
      "secret-in-manifest campaign.yaml:3:1 «api_key»
        \`api_key\` does not belong in a file that is kept in git: everyone with a copy could read it. Put the API key into an environment variable and name that variable with \`api_key_env\` (without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced."
    `);
  });

  it('the key where its variable belongs', async () => {
    expect(
      await problemsOf(`version: 1
name: x
service: { environments: { stage: { base_url: https://a.example.com, api_key_env: sk-12-34 } } }
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:3:83 «********»
        This is the name of an environment variable: letters, digits and \`_\`. The API key itself never stands here. For example: VISUALS_KEY"
    `);
  });
});
