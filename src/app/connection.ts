import type { Environment } from '../manifest/manifest.ts';
import type { Client, ClientOptions } from '../service/client.ts';

/** A service to send requests to; `close` drops its connections and stops the embedded emulator. */
export interface Connection {
  readonly client: Client;
  close(): Promise<void>;
}

export type Connect = (environment: Environment, options: ConnectOptions) => Promise<Connection>;

interface ConnectOptions extends Pick<ClientOptions, 'observe' | 'requestTimeouts'> {
  readonly apiKey: string;
  readonly emulatorData: string;
  /** The number of requests expected at once. */
  readonly concurrency: number;
}
