/** Where a campaign lies and which service it meets. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Place {
  readonly folder: string;
  /** Base URL of the service. */
  readonly url: string;
  /** `settings` stand below `service:`; a post that is not there after `mediaTimeout` (2 minutes) stays pending. */
  write(manifest: string, settings?: string, mediaTimeout?: string): Promise<void>;
  /** The same campaign with its state in a folder of its own. */
  copy(): Promise<Place>;
  remove(): Promise<void>;
}

/** A PNG of 2 × 2 pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFklEQVQImWM4EWVjE3WC4cOHZyJyGgArTAXdb0BEYgAAAABJRU5ErkJggg==',
  'base64',
);

/** An empty one before a service. */
export async function makePlace(url: string): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-matrix-'));
  await writeFile(join(folder, 'tote.png'), PNG);
  return open(folder, url);
}

function open(folder: string, url: string): Place {
  return {
    folder,
    url,
    write: (manifest, settings = '', mediaTimeout = '2m') =>
      writeFile(join(folder, 'm.yaml'), manifestOf(url, { settings, mediaTimeout }) + manifest),
    async copy() {
      const twin = await mkdtemp(join(tmpdir(), 'campaign-matrix-'));
      await cp(folder, twin, { recursive: true });
      return open(twin, url);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** One request at a time, and media in one known place: what a cell sees is its fault and nothing else. */
function manifestOf(url: string, { settings, mediaTimeout }: Record<string, string>): string {
  return `version: 1
name: matrix
service:
  default_environment: held
  media_path: "/media/{config.id}/{item.id}/"
  environments:
    held: { base_url: "${url}" }
${settings}limits: { concurrency: 1, media_timeout: ${mediaTimeout} }
`;
}
