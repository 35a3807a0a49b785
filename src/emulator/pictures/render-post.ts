import type { PostType } from '../../service/wire.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { Picture, PictureBrief } from './brief.ts';
import { composeStill, type Ingredients } from './compose-still.ts';
import { shootFilm } from './film.ts';
import { frameSize, parseAspectRatio, type Size } from './frame.ts';
import { layOut } from './lay-out.ts';
import type { LayoutName, Subject } from './layout.ts';
import { conceptPalette, type Palette } from './palette.ts';
import { placeholderPhoto, type Photo, type PhotoShelf } from './photo.ts';
import { pick, seededRandom } from './seeded.ts';
import { MOST_PHOTOS, slidesOf, wording } from './slides.ts';

const LONG_SIDE = 1280;
/** Half of the 2400 pixels that most cameras give: a JPEG decoder delivers that in a third of the time. */
const PHOTO_LONG_SIDE = 1200;
const FILM_LONG_SIDE = 640;
/** Photos of which no side is longer are stand-ins, as tests make them. */
const STAND_IN_SIDE = 100;
/** Posts of stand-ins are drawn this many times smaller: full size, drawing was half of what such a run takes. */
const STAND_IN_REDUCTION = 8;

interface Studio {
  /** The file behind a URL of this emulator; undefined for a foreign URL, which is never fetched. */
  locate(url: string): string | undefined;
  /** Of this emulator: a path always has the same photo. */
  shelf: PhotoShelf;
  signal: AbortSignal;
  /** Called for each photo that is not shown, because a drawing stands in for it. */
  onStandIn: (why: StandIn) => void;
}

/** `elsewhere`: it is behind a foreign URL, which is never fetched. `undecodable`: this program has no decoder for it. */
export type StandIn = 'elsewhere' | 'undecodable';

/** Renders the files of one post; the error says why that is impossible. */
export async function renderPost(
  brief: PictureBrief,
  type: PostType,
  studio: Studio,
): Promise<Result<Picture[], string>> {
  const ratio = parseAspectRatio(brief.aspectRatio);
  if (ratio === undefined) return err(`The aspect ratio "${brief.aspectRatio}" cannot be drawn.`);
  const photos = await loadPhotos(chooseImages(brief, type), studio);
  const palette = await readPalette(brief, studio);
  const [first = await placeholderPhoto(PHOTO_LONG_SIDE), ...others] = photos;
  const set: PhotoSet = { palette, photos: [first, ...others], random: seededRandom(brief.seed) };
  const reduction = set.photos.every(isStandIn) ? STAND_IN_REDUCTION : 1;
  const frame = frameSize(ratio, LONG_SIDE / reduction, 1);
  switch (type) {
    case 'image':
      return ok([await renderImage(brief, set, frame)]);
    case 'carousel':
      return renderCarousel(brief, set, { frame, signal: studio.signal });
    case 'video': {
      const film = frameSize(ratio, FILM_LONG_SIDE / reduction, 2);
      return renderVideo(brief, set, { frame: film, signal: studio.signal });
    }
  }
}

function isStandIn({ raw }: Photo): boolean {
  return Math.max(raw.width, raw.height) <= STAND_IN_SIDE;
}

interface PhotoSet {
  palette: Palette;
  photos: [Photo, ...Photo[]];
  random: () => number;
}

async function renderImage(brief: PictureBrief, set: PhotoSet, frame: Size): Promise<Picture> {
  return still(frame, chooseLayout(set), { ...set, wording: wording(brief, 0) });
}

async function renderCarousel(
  brief: PictureBrief,
  set: PhotoSet,
  run: { frame: Size; signal: AbortSignal },
): Promise<Result<Picture[], string>> {
  const slides: Picture[] = [];
  for (const [photo, { name, words }] of slidesOf(brief, set.photos.length).entries()) {
    if (run.signal.aborted) return err('stopped');
    slides.push(await still(run.frame, { name, photo }, { ...set, wording: words }));
  }
  return ok(slides);
}

async function renderVideo(
  brief: PictureBrief,
  set: PhotoSet,
  run: { frame: Size; signal: AbortSignal },
): Promise<Result<Picture[], string>> {
  const parts = { ...set, wording: wording(brief, 0), signal: run.signal };
  const data = await shootFilm(run.frame, (frame) => layOut('full', frame, subject(set, 0)), parts);
  return data === undefined ? err('stopped') : ok([{ data, extension: 'mp4', ...run.frame }]);
}

async function still(
  frame: Size,
  choice: { name: LayoutName; photo: number },
  parts: Ingredients,
): Promise<Picture> {
  const data = await composeStill(frame, layOut(choice.name, frame, subject(parts, choice.photo)), parts);
  return { data, extension: 'jpg', ...frame };
}

function chooseLayout({ photos, random }: PhotoSet): { name: LayoutName; photo: number } {
  const names: [LayoutName, ...LayoutName[]] =
    photos.length > 1 ? ['pair', 'twin'] : ['full', 'card', 'arch', 'split'];
  return { name: pick(random, names), photo: 0 };
}

function subject({ photos }: Pick<Ingredients, 'photos'>, photo: number): Subject {
  const { raw } = photos[photo % photos.length] ?? photos[0];
  return { photo, ratio: raw.width / raw.height };
}

/**
 * The images that the post shows: the first image of every product comes before any second one, because first images
 * show most.
 */
function chooseImages({ products }: PictureBrief, type: PostType): string[] {
  const longest = Math.max(0, ...products.map(({ images }) => images.length));
  const turns = Array.from({ length: longest }, (_, turn) =>
    products.flatMap(({ images }) => images[turn] ?? []),
  );
  // A picture of several products shows one photo of each; a picture of one product shows its first photo.
  const most = { image: Math.min(2, products.length), carousel: MOST_PHOTOS, video: 1 };
  return turns.flat().slice(0, most[type]);
}

async function loadPhotos(urls: readonly string[], studio: Studio): Promise<Photo[]> {
  const photos: Photo[] = [];
  for (const url of urls) {
    const path = studio.locate(url);
    const photo = path === undefined ? undefined : await studio.shelf.load(path, PHOTO_LONG_SIDE);
    if (!photo) studio.onStandIn(path === undefined ? 'elsewhere' : 'undecodable');
    photos.push(photo ?? (await placeholderPhoto(PHOTO_LONG_SIDE)));
  }
  return photos;
}

/** The colours come from reference pictures that this emulator stores and can read; others are ignored. */
async function readPalette({ concept }: PictureBrief, studio: Studio): Promise<Palette> {
  const paths = concept.images.flatMap((url) => studio.locate(url) ?? []);
  const swatches = await Promise.all(paths.map((path) => studio.shelf.swatches(path).catch(() => [])));
  return conceptPalette(`${concept.name} ${concept.description}`, swatches.flat());
}
