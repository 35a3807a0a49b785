import { describe, expect, it } from 'vitest';
import { loaded, problemsOf, TODAY } from './campaign-folder.ts';

const CONCEPT = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';

/** A manifest with one post plan of these lines. */
function withPost(...lines: readonly string[]): string {
  return ['version: 1', 'name: x', 'posts:', '  hero:', ...lines.map((line) => `    ${line}`), ''].join('\n');
}

const WEEKLY = withPost(
  `concept: ${CONCEPT}`,
  'every: week',
  'items: [{ key: "k-${{ run.period }}", post_type: image, aspect_ratio: "1:1", descriptions: ["Week ${{ run.period }}"] }]',
);

describe('a post plan with `every`', () => {
  it('is one instance for the period, which stands in its strings', async () => {
    const { posts, periods } = await loaded(WEEKLY);
    expect(periods).toEqual([
      { post: 'hero', every: 'week', timezone: 'UTC', name: '2026-w47', day: '2026-11-22' },
    ]);
    expect(posts).toMatchObject([
      {
        key: 'hero',
        instance: '2026-w47',
        period: { name: '2026-w47', day: '2026-11-22' },
        items: [{ key: 'k-2026-w47', descriptions: ['Week 2026-w47'] }],
      },
    ]);
  });

  it('has the period after the values of the matrix, whatever the matrix calls its keys', async () => {
    const text = withPost(
      `concept: ${CONCEPT}`,
      'every: ${{ vars.cadence }}',
      'matrix: { period: [morning, night], zoo: ["${{ run.period }}"] }',
      'items: [{ post_type: image, aspect_ratio: "1:1", descriptions: ["${{ matrix.period }} ${{ run.period }} ${{ matrix.zoo }}"] }]',
    );
    const { posts } = await loaded(`${text}variables: { cadence: month }\n`);
    expect(posts.map(({ instance, items }) => [instance, items[0]?.descriptions])).toEqual([
      ['morning+2026-11+2026-11', ['morning 2026-11 2026-11']],
      ['night+2026-11+2026-11', ['night 2026-11 2026-11']],
    ]);
  });

  it('is in the period of its own time zone', async () => {
    const two = `version: 1
name: x
posts:
  east: { concept: ${CONCEPT}, every: day, timezone: Pacific/Auckland, items: [{ post_type: image, aspect_ratio: "1:1" }] }
  west: { concept: ${CONCEPT}, every: day, timezone: America/New_York, items: [{ post_type: image, aspect_ratio: "1:1" }] }
  plain: { concept: ${CONCEPT}, items: [{ post_type: image, aspect_ratio: "1:1" }] }
`;
    const today = (zone: string) => (zone === 'Pacific/Auckland' ? '2026-11-23' : TODAY);
    const { posts, periods } = await loaded(two, { today });
    expect(posts.map(({ instance }) => instance)).toEqual(['2026-11-23', '2026-11-22', undefined]);
    expect(periods.map(({ timezone }) => timezone)).toEqual(['Pacific/Auckland', 'America/New_York']);
  });

  it('has `moved` for all its periods', async () => {
    const moved = 'moved: [{ from: media/old, to: media/hero }]\n';
    expect(await problemsOf(WEEKLY + moved)).toBe('');
    expect(await problemsOf(`${WEEKLY}moved: [{ from: media/old, to: media/hero/2026-w47 }]\n`)).toMatch(
      'There is no "media/hero/2026-w47" in this manifest. Did you mean',
    );
  });
});

describe('what is wrong with a period', () => {
  const ITEMS = 'items: [{ post_type: image, aspect_ratio: "1:1" }]';
  const post = (...lines: readonly string[]) => problemsOf(withPost(`concept: ${CONCEPT}`, ...lines, ITEMS));

  it('a time zone that does not exist', async () => {
    expect(await post('every: week', 'timezone: Europe/Berlim')).toMatchInlineSnapshot(`
      "unknown-timezone campaign.yaml:7:15 «Europe/Berlim»
        There is no time zone "Europe/Berlim". Did you mean "Europe/Berlin"?"
    `);
    expect(await post('every: week', 'timezone: berlin')).toMatchInlineSnapshot(`
      "unknown-timezone campaign.yaml:7:15 «berlin»
        There is no time zone "berlin". Did you mean "Europe/Berlin"?"
    `);
    expect(await post('every: week', 'timezone: "+01:00"')).toMatchInlineSnapshot(`
      "unknown-timezone campaign.yaml:7:15 «"+01:00"»
        There is no time zone "+01:00". Write a name of the IANA database, such as Europe/Berlin, America/New_York or UTC."
    `);
  });

  it('a time zone without `every`', async () => {
    expect(await post('timezone: Europe/Berlin')).toMatchInlineSnapshot(`
      "missing-key campaign.yaml:6:5 «timezone»
        \`timezone\` says where the periods of \`every\` begin, and this post has no \`every\`. Write \`every: day\`, \`week\` or \`month\`, or remove it."
    `);
  });

  it('a length that does not exist', async () => {
    expect(await post('every: weak')).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:6:12 «weak»
        "weak" is not possible here. Possible values: day, week, month. Did you mean "week"?"
    `);
  });

  it('a length or a zone that differs inside of the post plan', async () => {
    expect(
      await problemsOf(
        withPost(
          'concept: ${{ matrix.concept }}',
          `matrix: { concept: [${CONCEPT}], zone: [UTC] }`,
          'every: ${{ run.period }}',
          'timezone: ${{ matrix.zone }}',
          ITEMS,
        ),
      ),
    ).toMatchInlineSnapshot(`
      "invalid-expression campaign.yaml:7:12 «\${{ run.period }}»
        All posts of a post plan have the same periods, so \`every\` can depend on variables only. Write the value out, or make several post plans.
      invalid-expression campaign.yaml:8:15 «\${{ matrix.zone }}»
        All posts of a post plan have the same periods, so \`timezone\` can depend on variables only. Write the value out, or make several post plans."
    `);
  });

  it('the period where there is none', async () => {
    expect(
      await problemsOf(`version: 1
name: x
description: \${{ run.period }}
posts:
  a:
    concept: ${CONCEPT}
    items: [{ post_type: image, aspect_ratio: "1:1", descriptions: ["\${{ run.period }} and { run.period }"] }]
  b:
    concept: ${CONCEPT}
    every: day
    items: [{ post_type: image, aspect_ratio: "1:1", descriptions: ["\${{ run.periode }} and \${ run.period }"] }]
`),
    ).toMatchInlineSnapshot(`
      "invalid-expression campaign.yaml:3:14 «\${{ run.period }}»
        \`run.period\` is the period of a post plan with \`every\`: it can be used in that post plan, and nowhere else. Add \`every: day\`, \`week\` or \`month\` to the post plan, or take this out.
      invalid-expression campaign.yaml:7:70 «\${{ run.period }}»
        \`run.period\` is the period of a post plan with \`every\`: it can be used in that post plan, and nowhere else. Add \`every: day\`, \`week\` or \`month\` to the post plan, or take this out.
      invalid-expression campaign.yaml:11:70 «\${{ run.periode }}»
        \`run\` has no "periode". It has: period.
      invalid-expression campaign.yaml:11:93 «\${ run.period }»
        This expression is not understood. There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated."
    `);
  });

  it('files without the period in their names', async () => {
    expect(await problemsOf(`${WEEKLY}outputs: { name: "{post}/{item}" }\n`)).toMatchInlineSnapshot(`
      "output-collision campaign.yaml:8:18 «"{post}/{item}"»
        \`hero\` has \`every\`, and the files of each period would get the names of those before. Put {period} or {instance} into the name."
    `);
    expect(await problemsOf(`${WEEKLY}outputs: { name: "{post}/{period}/{item}" }\n`)).toBe('');
  });
});
