import type { Picture } from '../views/report-data.ts';
import { FilmStill } from './film.tsx';
import type { PageSource } from './page-source.ts';
import { Thumbnail } from './thumbnail.tsx';

interface SmallProps {
  readonly source: PageSource;
  /** A place in `data.pictures`. */
  readonly index: number;
  readonly picture: Picture;
}

/** What stands for a file among many: its thumbnail, or the first frame of a video. */
export function SmallPicture({ source, index, picture }: SmallProps) {
  if (picture.kind === 'video') return <FilmStill source={source} index={index} picture={picture} />;
  return <Thumbnail source={source} index={index} sha256={picture.sha256} problem={picture.problem} />;
}
