import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Picture } from '../views/report-data.ts';
import type { PageSource } from './page-source.ts';
import { panBy, placePicture, type Size, type Zoom, zoomAt } from './zoom.ts';

interface StageProps {
  readonly source: PageSource;
  /** A place in `data.pictures`. */
  readonly index: number;
  readonly picture: Picture;
  readonly alt: string;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
}

/** One picture, whole or zoomed; it is dragged with the pointer and zoomed with the wheel. */
export function PictureStage({ source, index, picture, alt, zoom, onZoom }: StageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const frame = useSize(stage);
  const { addresses, failed } = useAddresses(source, index, picture.sha256);
  const [natural, setNatural] = useState<Size>();
  const address = addresses?.[failed.count];
  const known = picture.width > 0 && picture.height > 0;
  const size = known ? { width: picture.width, height: picture.height } : natural;
  const pixel = 1 / (globalThis.devicePixelRatio || 1);
  const placed = size && placePicture(size, frame, zoom, pixel);
  useWheel(stage, (event, point) => {
    if (size) onZoom(zoomAt({ picture: size, frame, zoom, pixel }, event.deltaY < 0 ? 1.25 : 0.8, point));
  });
  const onPointerDown = (down: PointerEvent) => {
    if (zoom === 'fit' || !placed || down.button !== 0) return;
    const element = down.currentTarget as HTMLElement;
    element.setPointerCapture(down.pointerId);
    const onMove = (move: PointerEvent) =>
      onZoom(panBy(placed, frame, zoom, { x: move.clientX - down.clientX, y: move.clientY - down.clientY }));
    element.addEventListener('pointermove', onMove);
    const end = () => element.removeEventListener('pointermove', onMove);
    element.addEventListener('lostpointercapture', end, { once: true });
  };
  const isLost = addresses !== undefined && address === undefined;
  // Elsewhere than beside its pictures, a report has nothing but previews, and nothing is wrong with them.
  const isSmall = address !== undefined && (failed.count > 0 || (picture.path === null && picture.problem));
  return (
    <div ref={stage} class={`stage ${zoom === 'fit' ? '' : 'zoomed'}`} onPointerDown={onPointerDown}>
      {address !== undefined && (
        <img
          key={address}
          src={address}
          alt={alt}
          draggable={false}
          style={
            placed
              ? {
                  width: `${placed.width}px`,
                  height: `${placed.height}px`,
                  transform: `translate(${placed.left}px, ${placed.top}px)`,
                }
              : { maxWidth: '100%', maxHeight: '100%' }
          }
          onLoad={({ currentTarget }) =>
            setNatural({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          onError={failed.add}
        />
      )}
      {isLost && <p class="lack">{lostWords(picture)}</p>}
      {isSmall && <p class="stage-note">{lostWords(picture)} This is its preview.</p>}
    </div>
  );
}

function lostWords({ path, problem }: Picture): string {
  if (path === null) return problem ?? 'The picture has not been downloaded.';
  return `${path} is not where it was put, or cannot be shown.`;
}

/** The addresses of a picture, and how many of them could not be loaded. */
export function useAddresses(source: PageSource, index: number, sha256: string) {
  const [addresses, setAddresses] = useState<readonly string[]>();
  const [count, setCount] = useState(0);
  useEffect(() => {
    let isWanted = true;
    setCount(0);
    setAddresses(undefined);
    const show = (found: readonly string[], thumbnail: string | null) =>
      isWanted && setAddresses(thumbnail === null ? found : [...found, thumbnail]);
    void Promise.all([source.full(index), source.thumbnail(index)]).then(
      ([found, thumbnail]) => show(found, thumbnail),
      () => show([], null),
    );
    return () => {
      isWanted = false;
    };
  }, [source, index, sha256]);
  return { addresses, failed: { count, add: () => setCount((before) => before + 1) } };
}

function useSize(element: { readonly current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, []);
  return size;
}

/** The browser scrolls nothing meanwhile, which takes a listener that is not passive. */
function useWheel(
  element: { readonly current: HTMLElement | null },
  onWheel: (event: WheelEvent, point: { x: number; y: number }) => void,
): void {
  const latest = useRef(onWheel);
  latest.current = onWheel;
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const listen = (event: WheelEvent) => {
      if (event.ctrlKey) return;
      event.preventDefault();
      const { left, top } = current.getBoundingClientRect();
      latest.current(event, { x: event.clientX - left, y: event.clientY - top });
    };
    current.addEventListener('wheel', listen, { passive: false });
    return () => current.removeEventListener('wheel', listen);
  }, []);
}
