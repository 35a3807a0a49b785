import { expect, it, vi } from 'vitest';

// The module keeps the functions that it finds when it is loaded: they must be ours by then.
const said: unknown[] = [];
for (const name of ['log', 'warn', 'error'] as const) {
  vi.spyOn(console, name).mockImplementation((...words) => void said.push(...(words as unknown[])));
}
const { createEncoder } = await import('../../src/emulator/pictures/video-encoder.ts');

it.each([0, 3])(
  'an encoder that is closed after %d frames, its film unfinished, says nothing',
  async (frames) => {
    const encoder = await createEncoder({ width: 64, height: 64, framesPerSecond: 12 });
    for (let n = 0; n < frames; n++) encoder.addFrame(Buffer.alloc(64 * 64 * 4, n));
    encoder.close();
    expect(said).toEqual([]);
  },
);
