import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../src/emulator/pictures/colour.ts';
import { conceptPalette } from '../../src/emulator/pictures/palette.ts';
import { frameSize, parseAspectRatio } from '../../src/emulator/pictures/frame.ts';

describe('the palette of a concept', () => {
  it('is dark by night and light in the morning', () => {
    expect(conceptPalette('Night Neon, wet asphalt', []).mood).toBe('dark');
    expect(conceptPalette('Morning Soft side light, linen, pale green', []).mood).toBe('light');
  });

  it('follows the reference pictures before the words', () => {
    const red = [
      { colour: fromHex('#ff2010'), share: 0.2 },
      { colour: fromHex('#080404'), share: 0.8 },
    ];
    expect(conceptPalette('Morning linen', red)).toMatchObject({ mood: 'dark' });
  });

  it('is drawn by the name where the words say nothing', () => {
    expect(conceptPalette('Xyz', [])).toEqual(conceptPalette('Xyz', []));
    expect(conceptPalette('Xyz', [])).not.toEqual(conceptPalette('Zyx', []));
  });
});

it('colours survive the way through OKLCH', () => {
  for (const hex of ['#000000', '#ffffff', '#ff2e8a', '#4f7f56']) expect(toHex(fromHex(hex))).toBe(hex);
});

it('a frame has the ratio that is asked, a film even sides', () => {
  expect(['1:1', '9:16', '0:1', '1:0', '9:1', 'wide', '4:5:6', '-1:2'].map(parseAspectRatio)).toEqual([
    { width: 1, height: 1 },
    { width: 9, height: 16 },
    ...Array.from({ length: 6 }, () => undefined),
  ]);
  expect(frameSize({ width: 4, height: 5 }, 1280, 1)).toEqual({ width: 1024, height: 1280 });
  expect(frameSize({ width: 3, height: 2 }, 640, 2)).toEqual({ width: 640, height: 426 });
});
