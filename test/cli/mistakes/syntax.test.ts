import { describe, expect, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

describe('YAML that cannot be read', () => {
  it('a list without its end', async () => {
    expect(
      await mistake(`version: 1
name: x
product_folders: [photos/*
concepts: {}
`),
    ).toMatchInlineSnapshot();
  });

  it('a map without its end', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night: { name: Night
  day: { name: Day }
`),
    ).toMatchInlineSnapshot();
  });

  it('quotes without their end', async () => {
    expect(
      await mistake(`version: 1
name: x
description: "Spring range
concepts: {}
`),
    ).toMatchInlineSnapshot();
  });

  it('a tab as indentation', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
	night: {}
`),
    ).toMatchInlineSnapshot();
  });

  it('a key in a column of its own', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
    night: {}
  day: {}
`),
    ).toMatchInlineSnapshot();
  });

  it('a list entry in a column of its own', async () => {
    expect(
      await mistake(`version: 1
name: x
product_folders:
  - photos/*
 - more/*
`),
    ).toMatchInlineSnapshot();
  });

  it('a key that is indented too far', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night:
    name: Night
      description: Neon
`),
    ).toMatchInlineSnapshot();
  });

  it('a line without colon', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night
    name: Night
`),
    ).toMatchInlineSnapshot();
  });

  it('a colon without space', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night:
    name:Night
    description: Neon
`),
    ).toMatchInlineSnapshot();
  });

  it('a colon inside a text', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night:
    description: Neon: wet asphalt
    name: Night
`),
    ).toMatchInlineSnapshot();
  });

  it('entries without comma', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  night: { name: Night description: Neon }
`),
    ).toMatchInlineSnapshot();
  });

  it('a comma without entry', async () => {
    expect(
      await mistake(`version: 1
name: x
product_folders: [photos/*,, more/*]
`),
    ).toMatchInlineSnapshot();
  });

  it('a bracket too many', async () => {
    expect(
      await mistake(`version: 1
name: x
product_folders: [photos/*]]
concepts: {}
`),
    ).toMatchInlineSnapshot();
  });

  it('text behind quotes', async () => {
    expect(
      await mistake(`version: 1
name: x
description: "Spring" range
`),
    ).toMatchInlineSnapshot();
  });

  it('a list beside its key', async () => {
    expect(
      await mistake(`version: 1
name: x
product_folders: - photos/*
`),
    ).toMatchInlineSnapshot();
  });

  it('text behind the mark of a block', async () => {
    expect(
      await mistake(`version: 1
name: x
description: | Spring
  range
`),
    ).toMatchInlineSnapshot();
  });

  it('an expression in brackets without quotes', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, products: [\${{ vars.product }}], aspect_ratio: "1:1" }
`),
    ).toMatchInlineSnapshot();
  });

  it('an expression without its dollar sign', async () => {
    expect(
      await mistake(`version: 1
name: x
description: {{ vars.season }}
`),
    ).toMatchInlineSnapshot();
  });

  it('a text that begins with @', async () => {
    expect(
      await mistake(`version: 1
name: x
description: @spring
`),
    ).toMatchInlineSnapshot();
  });

  it('a glob that looks like an alias', async () => {
    expect(
      await mistake(`version: 1
name: x
product_folders: [*/photos]
`),
    ).toMatchInlineSnapshot();
  });

  it('an alias inside its own value', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts: &all { night: *all }
`),
    ).toMatchInlineSnapshot();
  });

  it('a backslash in double quotes', async () => {
    expect(
      await mistake(`version: 1
name: x
product_folders: ["photos\\spring"]
`),
    ).toMatchInlineSnapshot();
  });

  it('a tag', async () => {
    expect(
      await mistake(`version: 1
name: x
description: !important Spring
`),
    ).toMatchInlineSnapshot();
  });

  it('a percent sign at the margin', async () => {
    expect(
      await mistake(`%spring
---
version: 1
name: x
`),
    ).toMatchInlineSnapshot();
  });

  it('a second document', async () => {
    expect(
      await mistake(`version: 1
name: x
---
name: y
`),
    ).toMatchInlineSnapshot();
  });

  it('a merge conflict', async () => {
    expect(
      await mistake(`version: 1
name: x
<<<<<<< HEAD
description: Spring
=======
description: Summer
>>>>>>> summer
`),
    ).toMatchInlineSnapshot();
  });

  it('a merge key', async () => {
    expect(
      await mistake(`version: 1
name: x
concepts:
  day: &day { description: Soft }
  night:
    <<: *day
    name: Night
`),
    ).toMatchInlineSnapshot();
  });

  it('aliases that multiply', async () => {
    expect(
      await mistake(`version: 1
name: x
a: &a [x, x, x, x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e, *e, *e]
g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f, *f, *f]
h: &h [*g, *g, *g, *g, *g, *g, *g, *g, *g, *g, *g, *g]
`),
    ).toMatchInlineSnapshot();
  });

  it('5,000 brackets', async () => {
    expect(
      await mistake(`version: 1
name: x
posts: ${'['.repeat(5_000)}
`),
    ).toMatchInlineSnapshot();
  });

  it('brackets that are closed, and too many', async () => {
    expect(
      await mistake(`version: 1
name: x
posts: ${'['.repeat(80)}${']'.repeat(80)}
`),
    ).toMatchInlineSnapshot();
  });

  it('some of all that, and other mistakes beside it', async () => {
    expect(
      await mistake(`version: 1
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
`),
    ).toMatchInlineSnapshot();
  });
});
