/** What the checks of a file ask for: an open file gives it, and so does content in memory. */
export interface MediaBytes {
  read(
    target: Buffer,
    offset: number,
    length: number,
    at: number,
  ): Promise<{ readonly buffer: Buffer; readonly bytesRead: number }>;
}

export function bytesIn(content: Buffer): MediaBytes {
  return {
    read: async (target, offset, length, at) => {
      const bytesRead = at < content.length ? content.copy(target, offset, at, at + length) : 0;
      return { buffer: target, bytesRead };
    },
  };
}
