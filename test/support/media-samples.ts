/** Pictures and videos for downloads: whole ones, large enough to be cut in many places. */
import sharp from 'sharp';

/** A picture full of noise, so that no part of it is like another. */
export function noisyPicture(
  format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif',
  width: number,
  options: { progressive?: boolean } = {},
): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const canvas = sharp({ create: { width, height: width, channels: 3, noise, background: '#000' } });
  return canvas.toFormat(format, options).toBuffer();
}

/** A box of an MP4 file. */
export function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** The first box of a file of this brand: `isom` for MP4, `qt  ` for QuickTime, `heic`. */
export function brandBox(brand: string): Buffer {
  return box('ftyp', Buffer.from(`${brand}\0\0\0\0`, 'latin1'));
}

/** A film as a container has it: its index first, then `bytes` of frames. */
export function film(bytes: number, brand = 'isom'): Buffer {
  const index = box('moov', box('mvhd', Buffer.alloc(100)), box('trak', Buffer.alloc(80)));
  return Buffer.concat([brandBox(brand), index, box('mdat', Buffer.alloc(bytes, 7))]);
}

/** An element of a WebM file, its length written in 8 bytes; `unknown` leaves it open. */
export function element(id: string, content: Uint8Array, length: 'known' | 'unknown' = 'known'): Buffer {
  const size = Buffer.alloc(8, 0xff);
  if (length === 'known') size.writeBigUInt64BE((1n << 56n) | BigInt(content.length));
  else size[0] = 0x01;
  return Buffer.concat([Buffer.from(id, 'hex'), size, content]);
}

/** A WebM film of one cluster with `bytes` of frames; live ones do not say how long they are. */
export function webm(bytes: number, length: 'known' | 'unknown' = 'known'): Buffer {
  const frames = element('a3', Buffer.alloc(bytes, 7));
  const parts = [element('1654ae6b', Buffer.alloc(20)), element('1f43b675', frames, length)];
  return Buffer.concat([
    element('1a45dfa3', Buffer.alloc(10)),
    element('18538067', Buffer.concat(parts), length),
  ]);
}
