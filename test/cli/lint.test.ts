import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { campaignFolder } from '../manifest/campaign-folder.ts';
import { runHere } from '../support/run-here.ts';

const MANIFEST = `version: 1
name: x
service: { max_upload_bytes: 1000000 }
variables: { season: spring, unused: a }
products:
  tote: { images: [wide.png, small.png, again.png] }
concepts:
  day: { description: "\${{ vars.season }} light" }
  night: { description: Neon }
posts:
  hero:
    concept: day
    items:
      - { key: story, post_type: image, products: [tote], aspect_ratio: "9:16", descriptions: [A tote] }
      - { key: mute, post_type: image, products: [tote], aspect_ratio: "1:1", descriptions: [" "] }
`;

it('--lint warns of slips at their lines, and ends with 0; without it nothing is said', async () => {
  const { folder } = await campaignFolder(MANIFEST);
  const photo = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#a33' } })
      .png()
      .toBuffer();
  await writeFile(join(folder, 'wide.png'), await photo(1200, 800));
  await writeFile(join(folder, 'small.png'), await photo(600, 400));
  await writeFile(join(folder, 'again.png'), await photo(600, 400));
  const run = (...args: string[]) => runHere(['validate', ...args], { cwd: folder });
  expect(await run('--quiet')).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  const linted = await run('--lint');
  expect(linted.code).toBe(0);
  expect(linted.stderr.replace(/^ +(?:\d* +)?\|.*\n/gm, '')).toMatchInlineSnapshot(`
    "warning: Nothing uses it [unused]
      at campaign.yaml:4:30
      Nothing uses the variable "unused". Write \${{ vars.unused }} where it belongs, or remove it.

    warning: Nothing uses it [unused]
      at campaign.yaml:9:3
      No post uses the concept "night", and it would be made all the same. Name it in a post plan, or remove it.

    warning: Post has no description [no-description]
      at campaign.yaml:15:9
      This item says nothing of what its post shows, so only the concept and the photos decide. Write \`descriptions: [...]\`.

    warning: Photo is far from the asked aspect ratio [far-from-ratio]
      at campaign.yaml:6:20
      "wide.png" has 1200 × 800 pixels, and posts show tote in 9:16: most of the picture has to be cut off, or made up. Take a photo of the other orientation as the first one.

    warning: Photo is small [small-photo]
      at campaign.yaml:6:30
      "small.png" has 600 × 400 pixels. Below 512 on a side, little of the product is left to see: take a larger one.

    warning: Photo is small [small-photo]
      at campaign.yaml:6:41
      "again.png" has 600 × 400 pixels. Below 512 on a side, little of the product is left to see: take a larger one.

    warning: The same photo is there twice [same-photo]
      at campaign.yaml:6:41
      "again.png" is the same photo as "small.png". Take one of them out, unless two products share it on purpose.

    "
  `);
  const { diagnostics } = JSON.parse((await run('--lint', '--json')).stdout) as {
    diagnostics: { severity: string }[];
  };
  expect(diagnostics.map(({ severity }) => severity)).toEqual(Array.from({ length: 7 }, () => 'warning'));
  await writeFile(join(folder, 'small.png'), (await photo(600, 400)).subarray(0, 300));
  await writeFile(join(folder, 'campaign.yaml'), MANIFEST.replace('1000000', '2000'));
  const refused = await runHere(['apply', '--env', 'emulator'], { cwd: folder });
  expect(refused.code).toBe(65);
  expect(refused.stderr).toMatch(
    /\[damaged-image\]\n {2}at campaign.yaml:6:30\n(?:.*\n)*.*"small.png" cannot be used/,
  );
  expect(refused.stderr).toContain('"wide.png" has');
});
