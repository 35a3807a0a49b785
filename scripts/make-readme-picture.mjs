// Composes docs/quickstart.jpg: product photos on the left, what `campaign apply` made of them on the right.
// Run after `npx campaign apply examples/quickstart/campaign.yaml --env emulator`.
import { join } from 'node:path';
import sharp from 'sharp';

const example = join(import.meta.dirname, '..', 'examples', 'quickstart');
const out = join(example, 'out', 'quickstart', 'emulator');
const GAP = 16;
const PHOTO = { width: 264, height: 198 };
const BANNER_HEIGHT = 360;
const ROW_HEIGHT = 378;

const photos = ['tote/1-front', 'tote/2-three-quarter', 'mug/1-front', 'mug/3-top'];
const results = ['hero/kitchen-image', 'hero/shelf-image', 'story/tote-tour-carousel-1'];

const layers = [];
const place = async (file, size, { left, top }) => {
  const { data, info } = await sharp(file).resize(size).toBuffer({ resolveWithObject: true });
  layers.push({ input: data, left, top });
  return info;
};

const rowHeight = (BANNER_HEIGHT + GAP + ROW_HEIGHT - 3 * GAP) / photos.length;
for (const [index, photo] of photos.entries()) {
  const top = Math.round(GAP + index * (rowHeight + GAP));
  const size = { width: PHOTO.width, height: Math.floor(rowHeight), fit: 'cover' };
  await place(join(example, 'photos', `${photo}.jpg`), size, { left: GAP, top });
}
const arrowLeft = GAP + PHOTO.width;
const start = arrowLeft + 72;
const banner = await place(
  join(out, 'hero/banner-image.jpg'),
  { height: BANNER_HEIGHT },
  { left: start, top: GAP },
);
const street = await place(
  join(out, 'after-dark/street-image.jpg'),
  { width: BANNER_HEIGHT, height: BANNER_HEIGHT },
  { left: start + banner.width + GAP, top: GAP },
);
const width = start + banner.width + GAP + street.width + GAP;
let left = start;
for (const result of results) {
  const info = await place(
    join(out, `${result}.jpg`),
    { height: ROW_HEIGHT },
    { left, top: 2 * GAP + BANNER_HEIGHT },
  );
  left += info.width + GAP;
}
const height = 3 * GAP + BANNER_HEIGHT + ROW_HEIGHT;
const middle = height / 2;
const arrow = `<svg width="72" height="60"><path d="M14 30h36m-14-14 16 14-16 14" fill="none" stroke="#8a8578" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
layers.push({ input: Buffer.from(arrow), left: arrowLeft, top: Math.round(middle - 30) });
await sharp({ create: { width, height, channels: 3, background: '#f7f5f0' } })
  .composite(layers)
  .jpeg({ quality: 84, mozjpeg: true })
  .toFile(join(import.meta.dirname, '..', 'docs', 'quickstart.jpg'));
