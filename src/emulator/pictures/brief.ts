/** All that a post is rendered from. */
export interface PictureBrief {
  /** Decides layout, crop and light: equal seeds give equal pictures. */
  readonly seed: string;
  /** `width:height` */
  readonly aspectRatio: string;
  readonly concept: {
    readonly name: string;
    readonly description: string;
    readonly images: readonly string[];
  };
  readonly products: readonly {
    readonly name: string;
    /** True where the product's variant asks for the product's name in the picture. */
    readonly labelled: boolean;
    readonly images: readonly string[];
  }[];
  readonly texts: readonly string[];
}

/** One finished file of a post. */
export interface Picture {
  readonly data: Buffer;
  readonly extension: 'jpg' | 'mp4';
  readonly width: number;
  readonly height: number;
}
