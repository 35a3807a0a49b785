/** Where a page gets its pictures, and where its decisions go: all that differs between a report and the live page. */
export interface PageSource {
  /** The address of a thumbnail for `<img src>`; null where there is none. `index` is a place in `data.pictures`. */
  thumbnail(index: number): Promise<string | null>;
  /** Addresses of the whole picture or video, the best one first; the next one is for where that cannot be loaded. */
  full(index: number): Promise<readonly string[]>;
  readonly decisions: DecisionsPort;
}

/** `export`: the person saves a file; `save`: the page does, and says in words why it could not. */
export type DecisionsPort =
  | { readonly type: 'export' }
  | { readonly type: 'save'; readonly save: (yaml: string) => Promise<string | undefined> };
