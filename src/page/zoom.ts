/**
 * How a picture is looked at: whole, or at a scale around a point. The point is a share of the picture (0 to 1), so that it
 * means the same place in pictures of other sizes: that is what keeps takes side by side in step.
 */
export type Zoom = 'fit' | { readonly scale: number; readonly x: number; readonly y: number };

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where and how large a picture is drawn in its frame, in CSS pixels. */
export interface Placed extends Size {
  readonly left: number;
  readonly top: number;
}

const LARGEST = 8;

/** `pixel`: how many CSS pixels one pixel of the screen is; at scale 1 it shows one pixel of the picture. */
export function placePicture(picture: Size, frame: Size, zoom: Zoom, pixel: number): Placed {
  const scale = zoom === 'fit' ? fitScale(picture, frame, pixel) : zoom.scale * pixel;
  const [width, height] = [picture.width * scale, picture.height * scale];
  const { x, y } = zoom === 'fit' ? { x: 0.5, y: 0.5 } : zoom;
  return { width, height, left: offset(width, frame.width, x), top: offset(height, frame.height, y) };
}

/** Never larger than it is. */
function fitScale(picture: Size, frame: Size, pixel: number): number {
  return Math.min(frame.width / picture.width, frame.height / picture.height, Math.max(pixel, 1));
}

/** What is smaller than the frame stands in its middle; what is larger shows no gap at its edges. */
function offset(length: number, frame: number, centre: number): number {
  if (length <= frame) return (frame - length) / 2;
  return Math.min(0, Math.max(frame - length, frame / 2 - centre * length));
}

/** 100 %, or the whole picture. */
export function toggleZoom(zoom: Zoom): Zoom {
  return zoom === 'fit' ? { scale: 1, x: 0.5, y: 0.5 } : 'fit';
}

/** After a drag by so many CSS pixels. */
export function panBy(placed: Placed, frame: Size, zoom: Zoom, by: { x: number; y: number }): Zoom {
  if (zoom === 'fit') return zoom;
  const centre = (left: number, length: number, size: number, moved: number) => {
    if (length <= size) return 0.5;
    const [least, most] = [size / 2 / length, 1 - size / 2 / length];
    return Math.min(most, Math.max(least, (size / 2 - left - moved) / length));
  };
  return {
    scale: zoom.scale,
    x: centre(placed.left, placed.width, frame.width, by.x),
    y: centre(placed.top, placed.height, frame.height, by.y),
  };
}

/** Larger or smaller around a point of the frame; the whole picture where it would fit. */
export function zoomAt(
  { picture, frame, zoom, pixel }: { picture: Size; frame: Size; zoom: Zoom; pixel: number },
  factor: number,
  point: { x: number; y: number },
): Zoom {
  const placed = placePicture(picture, frame, zoom, pixel);
  const scale = Math.min(LARGEST, (placed.width / picture.width / pixel) * factor);
  if (scale * pixel <= fitScale(picture, frame, pixel)) return 'fit';
  const share = { x: (point.x - placed.left) / placed.width, y: (point.y - placed.top) / placed.height };
  const [width, height] = [picture.width * scale * pixel, picture.height * scale * pixel];
  const x = share.x + (frame.width / 2 - point.x) / width;
  const y = share.y + (frame.height / 2 - point.y) / height;
  return { scale, x: Math.min(1, Math.max(0, x)), y: Math.min(1, Math.max(0, y)) };
}
