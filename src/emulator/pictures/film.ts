import sharp from 'sharp';
import { composeScene, composeText, type Ingredients } from './compose-still.ts';
import type { Size } from './frame.ts';
import type { Layout } from './layout.ts';
import { createEncoder } from './video-encoder.ts';

const FRAMES_PER_SECOND = 12;
const FRAMES = 24;
/** The part of the scene that has left the frame at the end. */
const ZOOM = 0.12;
/** The scene is drawn this many times larger than the film, so that the camera moves in parts of a pixel. */
const OVERSAMPLING = 2;

/**
 * A film of two seconds: the camera moves slowly into the scene, and the text stands still. Undefined if it was
 * stopped.
 */
export async function shootFilm(
  frame: Size,
  layoutFor: (frame: Size) => Layout,
  parts: Ingredients & { signal: AbortSignal },
): Promise<Buffer | undefined> {
  const large = { width: frame.width * OVERSAMPLING, height: frame.height * OVERSAMPLING };
  const scene = await composeScene(large, layoutFor(large), parts);
  const text = await composeText(frame, layoutFor(frame), parts);
  const encoder = await createEncoder({ ...frame, framesPerSecond: FRAMES_PER_SECOND });
  try {
    for (let index = 0; index < FRAMES; index += 1) {
      if (parts.signal.aborted) return undefined;
      const still = await sharp(scene, { raw: { ...large, channels: 3 } })
        .extract(cameraView(large, index / (FRAMES - 1)))
        .resize({ ...frame, fit: 'fill', kernel: 'cubic' })
        .raw()
        .toBuffer();
      const picture = sharp(still, { raw: { ...frame, channels: 3 } })
        .composite(text)
        .ensureAlpha();
      encoder.addFrame(await picture.raw().toBuffer());
    }
    return encoder.finish();
  } finally {
    encoder.close();
  }
}

/** What the camera sees at this part of its way, 0 to 1. It starts and ends slowly. */
function cameraView(scene: Size, way: number) {
  const eased = way * way * (3 - 2 * way);
  const shown = 1 - ZOOM * eased;
  const [width, height] = [Math.round(scene.width * shown), Math.round(scene.height * shown)];
  return {
    left: Math.round((scene.width - width) * 0.5),
    top: Math.round((scene.height - height) * 0.42),
    width,
    height,
  };
}
