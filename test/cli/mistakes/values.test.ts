import { describe, expect, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

describe('values', () => {
  it('a number where a text belongs', async () => {
    expect(
      await mistake(`version: 1
name: 2024
`),
    ).toMatchInlineSnapshot();
  });

  it('a text where a number belongs', async () => {
    expect(
      await mistake(`version: 1
name: x
limits: { concurrency: fast }
`),
    ).toMatchInlineSnapshot();
  });

  it('a text where a list belongs', async () => {
    expect(
      await mistake(`version: 1
name: x
product_folders: photos/*
`),
    ).toMatchInlineSnapshot();
  });

  it('a list where a map belongs', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts: [night, day]
`),
    ).toMatchInlineSnapshot();
  });

  it('nothing where a text belongs', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night:
    description:
`),
    ).toMatchInlineSnapshot();
  });

  it('yes where a text belongs', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", descriptions: [true] }
`),
    ).toMatchInlineSnapshot();
  });

  it('a ratio without quotes', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: 1 }
`),
    ).toMatchInlineSnapshot();
  });

  it('a value with a typing error', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: vidoe, aspect_ratio: "1:1" }
`),
    ).toMatchInlineSnapshot();
  });

  it('a value like no other', async () => {
    expect(
      await mistake(`version: 1
name: x
service: { form: xml }
`),
    ).toMatchInlineSnapshot();
  });

  it('a campaign name in capitals', async () => {
    expect(
      await mistake(`version: 1
name: Spring Launch
`),
    ).toMatchInlineSnapshot();
  });

  it('an item key of digits', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { key: "12", post_type: image, aspect_ratio: "1:1" }
`),
    ).toMatchInlineSnapshot();
  });

  it('a number that is too small', async () => {
    expect(
      await mistake(`version: 1
name: x
limits: { concurrency: 0, requests_per_second: 0 }
`),
    ).toMatchInlineSnapshot();
  });

  it('a number that is too large', async () => {
    expect(
      await mistake(`version: 1
name: x
service: { nothing_done: [503, 700] }
`),
    ).toMatchInlineSnapshot();
  });

  it('half a request', async () => {
    expect(
      await mistake(`version: 1
name: x
limits: { media_in_flight: 1.5 }
`),
    ).toMatchInlineSnapshot();
  });

  it('no number at all', async () => {
    expect(
      await mistake(`version: 1
name: x
limits: { requests_per_second: .inf }
`),
    ).toMatchInlineSnapshot();
  });

  it('a duration without unit', async () => {
    expect(
      await mistake(`version: 1
name: x
limits: { media_timeout: "30" }
`),
    ).toMatchInlineSnapshot();
  });

  it('a duration beyond every clock', async () => {
    expect(
      await mistake(`version: 1
name: x
limits: { media_timeout: 99999999999999d }
`),
    ).toMatchInlineSnapshot();
  });

  it('an id that is no UUID', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night: { id: night-1 }
`),
    ).toMatchInlineSnapshot();
  });

  it('an address that is none', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", assets: [{ product_id: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f, url: tote.jpg }] }
`),
    ).toMatchInlineSnapshot();
  });

  it('an empty text', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night: { name: "" }
`),
    ).toMatchInlineSnapshot();
  });

  it('an empty list', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night: { ref_images: [] }
`),
    ).toMatchInlineSnapshot();
  });

  it('an empty map', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night: { id: {} }
`),
    ).toMatchInlineSnapshot();
  });

  it('true for outputs', async () => {
    expect(
      await mistake(`version: 1
name: x
outputs: true
`),
    ).toMatchInlineSnapshot();
  });

  it('an empty file', async () => {
    expect(
      await mistake(`# nothing yet
`),
    ).toMatchInlineSnapshot();
  });

  it('a list of campaigns', async () => {
    expect(
      await mistake(`- version: 1
  name: x
`),
    ).toMatchInlineSnapshot();
  });

  it('a path of media with an unknown placeholder', async () => {
    expect(
      await mistake(`version: 1
name: x
service: { media_path: "/media/{config.id}/{itm.id}/" }
`),
    ).toMatchInlineSnapshot();
  });

  it('a path of media with one part', async () => {
    expect(
      await mistake(`version: 1
name: x
service: { media_path: "/media/{item.id}/" }
`),
    ).toMatchInlineSnapshot();
  });
});
