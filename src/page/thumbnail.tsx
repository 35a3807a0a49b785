import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PageSource } from './page-source.ts';

interface ThumbnailProps {
  readonly source: PageSource;
  /** A place in `data.pictures`. */
  readonly index: number;
  /** Changes with the content. */
  readonly sha256: string;
  /** Why there is none, where that is known. */
  readonly problem: string | null;
  readonly alt?: string;
}

/** The small picture of a file; in its place a sentence where there is none, or where it is damaged. */
export function Thumbnail({ source, index, sha256, problem, alt = '' }: ThumbnailProps) {
  const found = useMemo(() => source.thumbnail(index), [source, index, sha256]);
  const address = useValue(found);
  const [damaged, setDamaged] = useState<typeof found>();
  if (damaged === found) return <span class="lack">{lostWords(address)}</span>;
  if (address === null) return <span class="lack">{problem ?? 'There is no preview.'}</span>;
  if (address === undefined) return null;
  return <img src={address} alt={alt} draggable={false} decoding="async" onError={() => setDamaged(found)} />;
}

/** A page in one file has its previews inside; any other asks for them. */
function lostWords(address: string | null | undefined): string {
  if (address?.startsWith('data:')) return 'The preview is damaged.';
  return 'Its file is not here, is another one, or cannot be reached.';
}

/** Undefined until it is known; what is known already is there at once. */
function useValue<Value>(given: Value | Promise<Value>): Value | undefined {
  const [later, setLater] = useState<{ readonly of: Promise<Value>; readonly value: Value }>();
  useEffect(() => {
    if (!(given instanceof Promise)) return;
    let isWanted = true;
    void given.then((value) => isWanted && setLater({ of: given, value }));
    return () => {
      isWanted = false;
    };
  }, [given]);
  if (!(given instanceof Promise)) return given;
  return later?.of === given ? later.value : undefined;
}
