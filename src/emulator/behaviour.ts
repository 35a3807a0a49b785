/** The places where the interface is silent: each is a switch, so that a client can be tried against every reading. */
export interface Behaviour {
  /** Meaning of GET /media/{object_id}/{id}/: which two ids name a medium, in which order. */
  mediaPath: 'config-item' | 'concept-item' | 'item-config';
  /** How an unfinished medium answers: with a status that is not `success`, or with 404. */
  pendingAs: 'status' | 'not-found';
  /** Where the answer to an upload holds the URL; `list` is `data: [{url}]`. */
  uploadAnswer: 'data' | 'data.url' | 'data.media_url' | 'data.file_url' | 'list' | 'top-url';
  /** Unit of a token's expires_at. */
  expiresAt: 'epoch-seconds' | 'epoch-milliseconds' | 'lifetime';
  /** Status code of a successful create or upload. */
  createStatus: 200 | 201;
  /** `schema` refuses items without asset url, variants or descriptions; `guide` refuses assets that carry a url. */
  acceptedForm: 'any' | 'guide' | 'schema';
  /** Contents of the string media_info. */
  mediaInfo: 'json-list' | 'json-object' | 'plain';
  tokenLifeSeconds: number;
  /** Wall time from the request of a post until its rendering starts. */
  generationMs: { image: number; carousel: number; video: number };
  /** When set, only this key is given a token; else any that is not empty. */
  apiKey: string | undefined;
}

/** What the emulator does when nothing is asked of it. */
export const DEFAULT_BEHAVIOUR: Behaviour = {
  mediaPath: 'config-item',
  pendingAs: 'status',
  uploadAnswer: 'data.url',
  expiresAt: 'epoch-seconds',
  createStatus: 201,
  acceptedForm: 'any',
  mediaInfo: 'json-list',
  tokenLifeSeconds: 3600,
  generationMs: { image: 400, carousel: 900, video: 1500 },
  apiKey: undefined,
};
