import type { Json } from '../util/json.ts';

/** What an answer shows besides what it was asked for; `campaign doctor` learns the habits of a service from it. */
export interface Observation {
  /** Method and path, e.g. `POST /get_auth_token`. */
  request: string;
  status: number;
  /** The media type, where the answer names one. */
  contentType: string | undefined;
  /** Epoch milliseconds of the Date header by the service's clock, and of the answer's arrival by ours. */
  date: number | undefined;
  arrivedAt: number;
  /** `data` of a 2xx answer that could be read. */
  data: Json | undefined;
}
