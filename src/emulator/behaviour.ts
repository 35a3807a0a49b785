/**
 * The points that the interface leaves open, each with the ways in which a service may fill it, so that a client can
 * be tried against every one of them. The first value is the default.
 */
export const SWITCHES = {
  /** Meaning of GET /media/{object_id}/{id}/: which two ids name a medium, in which order. */
  mediaPath: ['config-item', 'concept-item', 'item-config'],
  /** What the id of a medium is: that of its item, or one of its own in the field `media_id` of the item. */
  mediaId: ['item', 'own'],
  /** How an unfinished medium answers: with a status that is not `success`, or with 404. */
  pendingAs: ['status', 'not-found'],
  /** Names of the states of a medium. */
  pendingStatus: ['processing', 'queued'],
  doneStatus: ['success', 'SUCCESS', 'completed'],
  failedStatus: ['failed', 'error', 'declined'],
  /** Form of `estimated_duration`: 90 seconds, 90, "90", PT90S, 00:01:30, nothing. */
  estimatedDuration: ['words', 'number', 'text', 'iso-8601', 'clock', 'none'],
  /** Contents of the string `media_info`; `with-previews` lists a small one beside every file. */
  mediaInfo: ['json-list', 'json-object', 'plain', 'with-previews'],
  /** When a finished medium lists its files: with its first answer, or with the one after that. */
  filesListed: ['at-once', 'later'],
  /** How answers name files of the service: by URLs, or by paths. */
  fileLinks: ['urls', 'paths'],
  /** Where the answer to an upload holds the URL; `list` is `data: [{url}]`, `nested` is `data: {file: {url}}`. */
  uploadAnswer: ['data.url', 'data', 'data.media_url', 'data.file_url', 'nested', 'list', 'top-url'],
  /** Entries of `media_urls` and `ref_images` in answers: as they were sent, or URLs alone. */
  imagesAnswer: ['objects', 'urls'],
  /** Items of a media configuration: in the order sent, in another one, without the last one, with one more. */
  itemsAnswer: ['in-order', 'reversed', 'fewer', 'more'],
  /** What an item says of itself: all fields, or its id and post type alone. */
  itemShape: ['full', 'bare'],
  /** Unit of a token's `expires_at`, or what is there instead. */
  expiresAt: ['epoch-seconds', 'epoch-milliseconds', 'lifetime', 'zero', 'negative', 'none'],
  /** Status of a successful create or upload. */
  createStatus: [201, 200],
  /** Status of the answer to a request that is not understood. */
  refusalStatus: [400, 422],
  /** What becomes of a product or concept that a media configuration refers to, and of that, when it is deleted. */
  deleteInUse: ['allowed', 'refused', 'cascades'],
  /** `schema` refuses items without asset url, variants or descriptions; `guide` refuses assets that carry a url. */
  acceptedForm: ['any', 'guide', 'schema'],
} as const;

type Switches = { -readonly [Name in keyof typeof SWITCHES]: (typeof SWITCHES)[Name][number] };

/** How the emulator fills the gaps of the interface, and the times and the key, which no interface tells. */
export interface Behaviour extends Switches {
  tokenLifeSeconds: number;
  /** Before every answer. */
  latencyMs: number;
  /** Wall time from the request of a post until its rendering starts. */
  generationMs: { image: number; carousel: number; video: number };
  /** When set, only this key is given a token; else any that is not empty. */
  apiKey: string | undefined;
}

export const DEFAULT_BEHAVIOUR: Behaviour = {
  ...(Object.fromEntries(Object.entries(SWITCHES).map(([name, [first]]) => [name, first])) as Switches),
  tokenLifeSeconds: 3600,
  latencyMs: 0,
  generationMs: { image: 400, carousel: 900, video: 1500 },
  apiKey: undefined,
};
