import { fromHex, toHex, within, type Colour } from './colour.ts';
import { coloursOfWords } from './concept-words.ts';
import { seededRandom } from './seeded.ts';
import type { Swatch } from './swatches.ts';

/** The colours of a concept by their role in a picture, as `#rrggbb`. */
export interface Palette {
  readonly mood: 'light' | 'dark';
  /** Both ends of the background. */
  readonly ground: readonly [string, string];
  /** Two colours of light, for glows and ornaments. */
  readonly glow: readonly [string, string];
  /** Text on the background. */
  readonly ink: string;
  /** Small text and lines on the background. */
  readonly quiet: string;
  /** Shadows. */
  readonly shade: string;
}

/** The palette of a concept: taken from its reference pictures, else from its words, else from a hash of its name. */
export function conceptPalette(words: string, references: readonly Swatch[]): Palette {
  if (references.length > 0) return arrangePalette(references);
  const colours = coloursOfWords(words);
  if (colours.length > 0)
    return arrangePalette(colours.map((hex) => ({ colour: fromHex(hex), share: 1 / colours.length })));
  const hue = seededRandom(words)() * 2 * Math.PI;
  return arrangePalette([
    { colour: { lightness: 0.94, chroma: 0.02, hue }, share: 0.6 },
    { colour: { lightness: 0.65, chroma: 0.1, hue: hue + 0.5 }, share: 0.2 },
    { colour: { lightness: 0.8, chroma: 0.07, hue: hue - 0.9 }, share: 0.2 },
  ]);
}

/** Assigns roles to the colours. Lightness and chroma are limited so that text stays readable on the background. */
export function arrangePalette(swatches: readonly Swatch[]): Palette {
  const total = swatches.reduce((sum, { share }) => sum + share, 0);
  const average = swatches.reduce((sum, { colour, share }) => sum + colour.lightness * share, 0) / total;
  const dark = average < 0.52;
  const byLightness = swatches.map(({ colour }) => colour).sort((a, b) => a.lightness - b.lightness);
  const byStrength = [...swatches].sort((a, b) => strength(b) - strength(a)).map(({ colour }) => colour);
  const darkest = byLightness[0] ?? NEUTRAL;
  const lightest = byLightness.at(-1) ?? NEUTRAL;
  const first = byStrength[0] ?? NEUTRAL;
  const second = byStrength.find((colour) => hueDistance(colour, first) > 0.6) ?? byStrength[1] ?? first;
  const shade = toHex(within(darkest, { lightness: [0.12, 0.2], chroma: [0, 0.06] }));
  if (dark) {
    return {
      mood: 'dark',
      ground: [bounded(darkest, [0.14, 0.2], [0.02, 0.07]), bounded(first, [0.26, 0.32], [0.06, 0.12])],
      glow: [bounded(first, [0.64, 0.74], [0.16, 0.28]), bounded(second, [0.66, 0.8], [0.12, 0.22])],
      ink: bounded(lightest, [0.96, 0.98], [0, 0.02]),
      quiet: bounded(second, [0.8, 0.88], [0.04, 0.12]),
      shade,
    };
  }
  return {
    mood: 'light',
    ground: [bounded(lightest, [0.955, 0.975], [0.006, 0.025]), bounded(first, [0.87, 0.91], [0.025, 0.05])],
    glow: [bounded(first, [0.8, 0.88], [0.045, 0.095]), bounded(second, [0.83, 0.91], [0.035, 0.08])],
    ink: bounded(darkest, [0.24, 0.32], [0.01, 0.05]),
    quiet: bounded(first, [0.46, 0.55], [0.04, 0.1]),
    shade,
  };
}

const NEUTRAL: Colour = { lightness: 0.8, chroma: 0.01, hue: 1.2 };

/** Vivid colours, and colours that cover much, count more. */
function strength({ colour, share }: Swatch): number {
  return colour.chroma * (0.45 + Math.sqrt(share));
}

function hueDistance(a: Colour, b: Colour): number {
  return Math.acos(Math.cos(a.hue - b.hue));
}

function bounded(
  colour: Colour,
  lightness: readonly [number, number],
  chroma: readonly [number, number],
): string {
  return toHex(within(colour, { lightness, chroma }));
}
