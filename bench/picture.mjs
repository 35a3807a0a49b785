import { crc32, deflateSync } from 'node:zlib';

/** A small PNG whose content depends on `seed`: 16 × 16 pixels, and `bytes` of padding in a private chunk. */
export function picture(seed, bytes = 0) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(16, 0);
  header.writeUInt32BE(16, 4);
  header.set([8, 2], 8);
  const row = Buffer.alloc(1 + 16 * 3, seed % 251);
  row[0] = 0;
  row.writeUInt32BE(seed, 1);
  const pixels = Buffer.concat(Array.from({ length: 16 }, () => row));
  const padding = Buffer.alloc(bytes, seed % 256);
  if (bytes > 4) padding.writeUInt32BE(seed, 0);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(bytes > 0 ? [chunk('paDd', padding)] : []),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
