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
        "desciption" is not a key here. Did you mean "description"?"
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
        "zzzzzzz" is not a key here. Known keys: name, description, ref_images, id."
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
        "wet asphalt" is not a key here. If it belongs to the text before it, put that in quotes: "Neon, wet asphalt"."
    `);
  });

  it('a mistyped required key is one problem', async () => {
    expect(
      await problemsOf(`version: 1
nmae: x
`),
    ).toMatchInlineSnapshot(`
      "unknown-key campaign.yaml:2:1 «nmae»
        "nmae" is not a key here. Did you mean "name"?"
    `);
  });

  it('required keys', async () => {
    expect(
      await problemsOf(`concepts: {}
`),
    ).toMatchInlineSnapshot(`
      "missing-key campaign.yaml:1:1 «concepts»
        \`version\` is required here. The version of this file format; it freezes every default of the tool.
      missing-key campaign.yaml:1:1 «concepts»
        \`name\` is required here. The key of the campaign, to which its state belongs: lower-case letters, digits, \`.\`, \`_\` and \`-\`, at most 63."
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
        There is no concept "b" in this manifest. Known: none.
      missing-key campaign.yaml:7:59 «{ type: product }»
        \`product_id\` is required here. Key (or id) of the product."
    `);
  });

  it('version 2', async () => {
    expect(
      await problemsOf(`version: 2
name: x
`),
    ).toMatchInlineSnapshot(`
      "unsupported-version campaign.yaml:1:10 «2»
        This release reads version 1: write \`version: 1\`."
    `);
  });

  it('a name in capitals', async () => {
    expect(
      await problemsOf(`version: 1
name: Spring
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:2:7 «Spring»
        It does not have the form that is needed here. The key of the campaign, to which its state belongs: lower-case letters, digits, \`.\`, \`_\` and \`-\`, at most 63. Example: spring-launch"
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
        "a b": a key here has lower-case letters, digits, \`.\`, \`_\` and \`-\`, begins with a letter or a digit and has at most 63 characters."
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
        "1x": a key here has letters, digits, \`_\` and \`-\` and begins with a letter."
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
        Expected a whole number, found a text. Example: 1
      wrong-type campaign.yaml:2:7 «2024»
        Expected a text, found 2024. Put it in quotes. Example: spring-launch
      wrong-type campaign.yaml:3:1 «description»
        Expected a text, found nothing. Example: Spring range
      wrong-type campaign.yaml:4:1 «limits»
        Expected a map, found a list. Example: {"concurrency":8,"media_in_flight":200,"media_timeout":"30m"}
      wrong-type campaign.yaml:5:1 «product_folders»
        Expected a list, found a map. Example: ["photos/*"]
      wrong-type campaign.yaml:6:11 «night»
        Expected a map, found a text. Example: {"night":{"name":"Night","description":"Neon, wet asphalt"}}"
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
        Expected a whole number or a map, found a text. Example: 8
      wrong-type campaign.yaml:4:10 «3»
        Expected true or false or a map, found 3. Example: {"dir":"out","name":"{post}/{instance}/{item}-{post_type}"}"
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
        \`true\` says nothing: leave the key out, or write \`false\` or a map. Where finished files go and what they are called; false downloads nothing. Example: {"dir":"out","name":"{post}/{instance}/{item}-{post_type}"}"
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
        "vidoe" is none of image, video, carousel. Did you mean "video"?"
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
        "story" is none of image, video, carousel."
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
        It does not have the form that is needed here. A stable name of the item; without it an item is known by its content, then by its place. Not only digits: numbers are what items without a key get. Example: kitchen"
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
        At least 1. Requests in flight, default 8; or a map with the total and lower limits per kind of object. Example: 8
      invalid-value campaign.yaml:3:48 «0»
        More than 0. Upper bound of the rate of requests. Default: none. Example: 50
      wrong-type campaign.yaml:3:68 «1.5»
        Expected a whole number, found 1.5. Example: 200
      invalid-value campaign.yaml:4:27 «200»
        At least 400.
      invalid-value campaign.yaml:4:32 «700»
        At most 599."
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
        It does not have the form that is needed here. Running time after which a post that is not generated yet stays pending: a number with ms, s, m, h or d. Default: 30m. Example: 30m"
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
        It does not have the form that is needed here. The object exists already: it is used and never changed. A UUID holds in every environment but the emulator; or a map of environment names to UUIDs. Example: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f"
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
        It is empty. The name that the service shows. Default: the key of the concept. Example: Night
      invalid-value campaign.yaml:3:32 «ref_images»
        The list is empty. A folder, a file, a glob, an https URL, or a list of these. Example: photos/tote
      invalid-value campaign.yaml:3:48 «id»
        The map is empty. The object exists already: it is used and never changed. A UUID holds in every environment but the emulator; or a map of environment names to UUIDs. Example: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f"
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
        "foo" is not a key here. Known keys: version, name, description, service, variables, defaults, product_folders, products, concepts, posts, limits, budget, outputs, moved.
      unknown-key campaign.yaml:4:18 «nam»
        "nam" is not a key here. Did you mean "name"?
      unknown-concept campaign.yaml:7:14 «c»
        There is no concept "c" in this manifest. Known: a.
      wrong-type campaign.yaml:9:22 «5»
        Expected a text, found 5. Example: image
      unknown-product campaign.yaml:9:57 «nope»
        There is no product "nope" in this manifest. Known: none.
      missing-key campaign.yaml:10:9 «{ post_type: image, products: [also-nope] }»
        \`aspect_ratio\` is required here. Write one, such as "1:1", here or under \`defaults: item:\`.
      unknown-product campaign.yaml:10:40 «also-nope»
        There is no product "also-nope" in this manifest. Known: none."
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
        \`api_key\` does not belong into a file that is kept in git. Write the name of an environment variable as \`api_key_env\` of the environment, and put the key into that variable (or into CAMPAIGN_API_KEY)."
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
        "foo" is not a key here. Known keys: environments, default_environment, media_path, statuses, upload_url, form, media_urls, nothing_done, on_unknown.
      secret-in-manifest campaign.yaml:3:20 «api_key»
        \`api_key\` does not belong into a file that is kept in git. Write the name of an environment variable as \`api_key_env\` of the environment, and put the key into that variable (or into CAMPAIGN_API_KEY)."
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
        \`api_key\` does not belong into a file that is kept in git. Write the name of an environment variable as \`api_key_env\` of the environment, and put the key into that variable (or into CAMPAIGN_API_KEY)."
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
        It does not have the form that is needed here. Name of the environment variable that holds the API key; the key itself never stands in a manifest. Default: CAMPAIGN_API_KEY. Example: VISUALS_KEY"
    `);
  });
});

describe('what a later release supports', () => {
  it('budget, whatever stands in it', async () => {
    expect(
      await problemsOf(`version: 1
name: x
budget: { currency: EUR, foo: 1 }
`),
    ).toMatchInlineSnapshot(`
      "not-supported-yet campaign.yaml:3:1 «budget»
        This release does not know what to do with \`budget\`, and passing over it would change what the manifest means. Take it out."
    `);
  });

  it('budget of an environment', async () => {
    expect(
      await problemsOf(`version: 1
name: x
service: { environments: { stage: { base_url: https://a.example.com, budget: { per_run: { posts: 1 } } } } }
`),
    ).toMatchInlineSnapshot(`
      "not-supported-yet campaign.yaml:3:70 «budget»
        This release does not know what to do with \`budget\`, and passing over it would change what the manifest means. Take it out."
    `);
  });

  it('every, timezone, regenerate', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    every: week
    timezone: UTC
    regenerate: on_change
    items: [{ post_type: image, aspect_ratio: '1:1', descriptions: ['\${{ run.period }}'] }]
`),
    ).toMatchInlineSnapshot(`
      "not-supported-yet campaign.yaml:6:5 «every»
        This release does not know what to do with \`every\`, and passing over it would change what the manifest means. Take it out.
      not-supported-yet campaign.yaml:7:5 «timezone»
        This release does not know what to do with \`timezone\`, and passing over it would change what the manifest means. Take it out.
      not-supported-yet campaign.yaml:8:5 «regenerate»
        This release does not know what to do with \`regenerate\`, and passing over it would change what the manifest means. Take it out.
      not-supported-yet campaign.yaml:9:70 «\${{ run.period }}»
        This release has no \`run.period\`. Take it out."
    `);
  });
});
