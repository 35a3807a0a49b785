import { describe, expect, it } from 'vitest';
import { panBy, placePicture, toggleZoom, zoomAt } from '../../src/page/zoom.ts';

const frame = { width: 400, height: 400 };
const wide = { width: 1600, height: 800 };
const centre = { scale: 1, x: 0.5, y: 0.5 };

describe('a picture in its frame', () => {
  it('is whole, and not larger than it is', () => {
    expect(placePicture(wide, frame, 'fit', 1)).toEqual({ left: 0, top: 100, width: 400, height: 200 });
    const small = { width: 100, height: 50 };
    expect(placePicture(small, frame, 'fit', 0.5)).toEqual({ left: 150, top: 175, width: 100, height: 50 });
  });

  it('shows at 100 % a pixel of the picture on each of the screen', () => {
    expect(toggleZoom('fit')).toEqual(centre);
    expect(toggleZoom(centre)).toBe('fit');
    expect(placePicture(wide, frame, centre, 1)).toEqual({ left: -600, top: -200, width: 1600, height: 800 });
    expect(placePicture(wide, frame, centre, 0.5)).toEqual({ left: -200, top: 0, width: 800, height: 400 });
  });

  it('shows the same place in pictures of another size, and no gap at its edges', () => {
    const corner = { scale: 1, x: 1, y: 0 };
    expect(placePicture(wide, frame, corner, 1)).toMatchObject({ left: -1200, top: 0 });
    expect(placePicture({ width: 800, height: 400 }, frame, corner, 1)).toMatchObject({ left: -400, top: 0 });
  });

  it('follows a drag no further than its edges', () => {
    const placed = placePicture(wide, frame, centre, 1);
    expect(panBy(placed, frame, centre, { x: -160, y: 80 })).toEqual({ scale: 1, x: 0.6, y: 0.4 });
    expect(panBy(placed, frame, centre, { x: 9999, y: -9999 })).toEqual({ scale: 1, x: 0.125, y: 0.75 });
    expect(panBy(placed, frame, 'fit', { x: 10, y: 10 })).toBe('fit');
    const flat = placePicture({ width: 1600, height: 200 }, frame, centre, 1);
    expect(panBy(flat, frame, centre, { x: 0, y: 50 })).toEqual(centre);
  });

  it('keeps what is under the pointer while it grows', () => {
    const point = { x: 100, y: 200 };
    const before = placePicture(wide, frame, 'fit', 1);
    const zoom = zoomAt({ picture: wide, frame, zoom: 'fit', pixel: 1 }, 4, point);
    expect(zoom).toMatchObject({ scale: 1 });
    const after = placePicture(wide, frame, zoom, 1);
    expect((point.x - after.left) / after.width).toBeCloseTo((point.x - before.left) / before.width);
    expect(zoomAt({ picture: wide, frame, zoom, pixel: 1 }, 0.1, point)).toBe('fit');
    expect(zoomAt({ picture: wide, frame, zoom, pixel: 1 }, 1e6, point)).toMatchObject({ scale: 8 });
  });
});
