import { useEffect, useState } from 'preact/hooks';
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
  const [address, setAddress] = useState<string | null | undefined>();
  const [isDamaged, setDamaged] = useState(false);
  useEffect(() => {
    let isWanted = true;
    const show = (found: string | null) => isWanted && setAddress(found);
    setDamaged(false);
    source.thumbnail(index).then(show, () => show(null));
    return () => {
      isWanted = false;
    };
  }, [source, index, sha256]);
  if (isDamaged) return <span class="lack">The preview is damaged.</span>;
  if (address === null) return <span class="lack">{problem ?? 'There is no preview.'}</span>;
  if (address === undefined) return null;
  return <img src={address} alt={alt} draggable={false} decoding="async" onError={() => setDamaged(true)} />;
}
