import type { Reason } from '../model/plan.ts';
import type { Locate, SourceRef } from '../model/source.ts';
import { inertText } from '../util/inert-text.ts';
import { count } from '../util/count.ts';
import { isJsonArray, type Json, textOf } from '../util/json.ts';
import { isSha256 } from '../util/sha256.ts';
import type { Style } from './style.ts';

const SHOWN_CHARACTERS = 60;
const SHOWN_IMAGES = 3;

export function reasonLines(reasons: readonly Reason[], locate: Locate, style: Style): string[] {
  return reasons.flatMap((reason) => [
    reasonLine(reason, locate, style),
    ...reasonLines(reason.because ?? [], locate, style).map((line) => `  ${line}`),
  ]);
}

function reasonLine(reason: Reason, locate: Locate, style: Style): string {
  const { field, source, summary, because } = reason;
  if (field === undefined) return style.dim(inertText(summary));
  if (because) return `${inertText(summary)} ${style.dim(`(${field})`)}`;
  const place = style.dim(placeText(source, locate));
  return `${inertText(field)}: ${imagesText(reason) ?? valuesText(reason)}${place}`;
}

/** The place in the manifest, appended to a message; empty where the manifest does not ask for it. */
export function placeText(source: SourceRef | undefined, locate: Locate): string {
  const position = source === undefined ? undefined : locate(source);
  return position ? `  ${inertText(position.file)}:${position.line}` : '';
}

function valuesText({ from, to, photos = {} }: Reason): string {
  const before = from === undefined ? 'added' : shown(from, photos);
  const after = to === undefined ? 'removed' : shown(to, photos);
  return `${before} → ${after}${isSameToRead(from, to) ? SAME_TO_READ : ''}`;
}

/** Without it, nobody would see what differs. */
const SAME_TO_READ = ' (its accents are written with other characters)';

function isSameToRead(from: Json | undefined, to: Json | undefined): boolean {
  if (from === undefined || to === undefined) return false;
  return JSON.stringify(from).normalize('NFC') === JSON.stringify(to).normalize('NFC');
}

type Photos = NonNullable<Reason['photos']>;

/** What came and what went of a list of images, which is too long to be read twice. */
function imagesText({ from, to, photos = {} }: Reason): string | undefined {
  if (!isJsonArray(from) || !isJsonArray(to) || ![...from, ...to].some(isSha256)) return undefined;
  const named = (all: readonly Json[], others: readonly Json[]) =>
    all.filter((image) => !others.includes(image)).map((image) => imageText(image, photos));
  const parts = [
    ['with', named(to, from)],
    ['without', named(from, to)],
  ] as const;
  const words = parts.flatMap(([word, names]) => (names.length ? [`${word} ${someOf(names)}`] : []));
  return [`${from.length} → ${count(to.length, 'image')}`, ...words].join(', ');
}

function someOf(names: readonly string[]): string {
  const more = names.length - SHOWN_IMAGES;
  return `${names.slice(0, SHOWN_IMAGES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** By its path, where the manifest still names it; an image that it named before is known by its content only. */
function imageText(image: Json, photos: Photos): string {
  if (!isSha256(image)) return inertText(textOf(image));
  const path = photos[image];
  return `${path === undefined ? 'an earlier image' : inertText(path)} (${image.slice(0, 16)})`;
}

function shown(value: Json, photos: Photos): string {
  if (isSha256(value)) return imageText(value, photos);
  const inert = inertText(JSON.stringify(value));
  return inert.length > SHOWN_CHARACTERS ? `${inert.slice(0, SHOWN_CHARACTERS - 1)}…` : inert;
}
