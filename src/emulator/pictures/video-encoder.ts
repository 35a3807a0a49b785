import type { Size } from './frame.ts';

/** Takes RGBA frames, gives an H.264 film in an MP4 file. */
interface VideoEncoder {
  addFrame(pixels: Buffer): void;
  finish(): Buffer;
  close(): void;
}

const HANDLED = ['uncaughtException', 'unhandledRejection'] as const;

/** A new encoder; both sides of the frame must be even. Loaded at first use: the WebAssembly module is large. */
export async function createEncoder(options: Size & { framesPerSecond: number }): Promise<VideoEncoder> {
  const encoder = await loadQuietly();
  encoder.width = options.width;
  encoder.height = options.height;
  encoder.frameRate = options.framesPerSecond;
  encoder.quantizationParameter = 22;
  encoder.speed = 6;
  encoder.groupOfPictures = options.framesPerSecond;
  encoder.initialize();
  let finished = false;

  function finish(): Buffer {
    finished = true;
    encoder.finalize();
    const film = Buffer.from(encoder.FS.readFile(encoder.outputFilename));
    encoder.FS.unlink(encoder.outputFilename);
    return film;
  }

  return {
    addFrame: (pixels) => encoder.addFrameRgba(pixels),
    finish,
    close() {
      // An encoder that is deleted before its film is finished prints a complaint on standard output.
      if (!finished) finish();
      encoder.delete();
    },
  };
}

/** The module's start-up code replaces the process's handlers of uncaught errors, so they are restored. */
async function loadQuietly() {
  const before = HANDLED.map((event) => new Set(process.rawListeners(event)));
  const { createH264MP4Encoder } = (await import('h264-mp4-encoder')).default;
  const encoder = await createH264MP4Encoder();
  for (const [index, event] of HANDLED.entries()) {
    for (const listener of process.rawListeners(event)) {
      if (!before[index]?.has(listener)) process.removeListener(event, listener as () => void);
    }
  }
  return encoder;
}
