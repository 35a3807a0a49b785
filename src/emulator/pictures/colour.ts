/** A colour in OKLCH: lightness 0–1, chroma 0–0.4, hue in radians. Equal steps look equal, which RGB does not give. */
export interface Colour {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** From sRGB channels 0–255. Matrices: https://bottosson.github.io/posts/oklab/ */
export function fromRgb(red: number, green: number, blue: number): Colour {
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  return { lightness, chroma: Math.hypot(a, y), hue: Math.atan2(y, a) };
}

/** From `#rrggbb`. */
export function fromHex(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return fromRgb((value >> 16) & 255, (value >> 8) & 255, value & 255);
}

/** As `#rrggbb`; what the screen cannot show is cut to what it can. */
export function toHex(colour: Colour): string {
  const a = colour.chroma * Math.cos(colour.hue);
  const y = colour.chroma * Math.sin(colour.hue);
  const l = (colour.lightness + 0.3963377774 * a + 0.2158037573 * y) ** 3;
  const m = (colour.lightness - 0.1055613458 * a - 0.0638541728 * y) ** 3;
  const s = (colour.lightness - 0.0894841775 * a - 1.291485548 * y) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${channels.map((channel) => gamma(channel).toString(16).padStart(2, '0')).join('')}`;
}

/** The colour with lightness and chroma brought into the bounds. */
export function within(
  colour: Colour,
  bounds: { lightness: readonly [number, number]; chroma: readonly [number, number] },
): Colour {
  const clamp = (value: number, [min, max]: readonly [number, number]) => Math.min(max, Math.max(min, value));
  return {
    lightness: clamp(colour.lightness, bounds.lightness),
    chroma: clamp(colour.chroma, bounds.chroma),
    hue: colour.hue,
  };
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function gamma(value: number): number {
  const encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, encoded)) * 255);
}
