/** Videos: the browser decodes them itself, from where they lie; there is no small picture of them. */
import type { Picture } from '../views/report-data.ts';
import type { PageSource } from './page-source.ts';
import { useAddresses } from './picture-stage.tsx';

interface FilmProps {
  readonly source: PageSource;
  /** A place in `data.pictures`. */
  readonly index: number;
  readonly picture: Picture;
}

/** In the place of a small picture: its first frame. */
export function FilmStill({ source, index, picture }: FilmProps) {
  const { addresses, failed } = useAddresses(source, index, picture.sha256);
  if (addresses === undefined) return null;
  const [address] = addresses;
  if (address === undefined || picture.path === null || failed.count > 0)
    return (
      <span class="lack">{picture.problem ?? 'The video is not beside this page, or cannot be played.'}</span>
    );
  return (
    <video
      class="still"
      src={`${address}#t=0.1`}
      muted
      playsInline
      preload="metadata"
      tabIndex={-1}
      aria-hidden="true"
      onError={failed.add}
    />
  );
}

export function Film({ source, index, picture, name }: FilmProps & { readonly name: string }) {
  const { addresses, failed } = useAddresses(source, index, picture.sha256);
  const address = addresses?.[0];
  if (addresses === undefined) return null;
  if (address === undefined || picture.path === null || failed.count > 0)
    return (
      <p class="lack">
        {picture.path === null
          ? (picture.problem ?? 'The video has not been downloaded.')
          : `${picture.path} is not where it was put, or this browser cannot play it.`}
      </p>
    );
  return (
    <video class="video" src={address} controls loop playsInline aria-label={name} onError={failed.add} />
  );
}
