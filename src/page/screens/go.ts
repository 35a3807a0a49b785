/** Ways from a screen into the contact sheet. */
import type { ScreenProps } from '../screen.ts';
import { NO_FILTER, type SheetFilter } from '../sheet-filter.ts';

/** Which posts: in each part any of these values. */
export type Facets = SheetFilter['facets'];

export interface Go {
  readonly posts: (facets: Facets) => void;
  readonly post: (address: string) => void;
  /** `words` says what these posts have in common. */
  readonly addresses: (addresses: readonly string[], words: string) => void;
}

export function goFrom(navigate: ScreenProps['navigate']): Go {
  return {
    posts: (facets) => navigate({ screen: 'sheet', filter: { ...NO_FILTER, facets } }),
    post: (post) => navigate({ screen: 'sheet', filter: NO_FILTER, post }),
    addresses: (addresses, words) =>
      navigate({ screen: 'sheet', filter: { ...NO_FILTER, only: { addresses, words } } }),
  };
}
