import type { Json } from '../util/json.ts';

/** What an answer shows besides its result; `campaign doctor` uses it to describe how the service behaves. */
export interface Observation {
  /** Method and path, e.g. `POST /get_auth_token`. */
  request: string;
  status: number;
  /** The media type, if the answer has one. */
  contentType: string | undefined;
  /** Epoch milliseconds: the Date header by the service's clock, and the arrival of the answer by this machine's. */
  date: number | undefined;
  arrivedAt: number;
  /** `data` of a 2xx answer that could be read. */
  data: Json | undefined;
}
