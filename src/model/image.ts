/** One image file whose content was read: path relative to the manifest's folder, media type found in the content. */
export interface HashedImage {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly contentType: string;
}
