/** `validate --links`: asks each https image of a manifest whether it is there, because only the service fetches it, after it was paid. */
import pLimit from 'p-limit';
import type { ImageSource } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';
import type { Problem, Refusal } from '../model/problem.ts';
import { askImage } from '../service/ask-image.ts';
import { createConnections, DEFAULT_TIMEOUTS } from '../service/connections.ts';
import { createSecrets } from '../service/secrets.ts';
import { groupBy } from '../util/group-by.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import type { Runtime } from './runtime.ts';
import { readTlsFiles } from './tls-files.ts';
import { checkTransport, readProxies } from './transport.ts';

const AT_ONCE = 10;

/** What is not asked by then is reported as not asked. */
const LONGEST_MS = 10 * 60_000;

/** Where a service says nothing, as for files. */
const MOST_BYTES = 2 * 1024 ** 3;

type Linked = Extract<ImageSource, { readonly url: string }>;

/** The problems of all addresses, each at every place that names it; refused where no trusted connection can be made. */
export async function checkLinks(
  { clock, env, emit }: Runtime,
  { manifest, quote }: Pick<Campaign, 'manifest' | 'quote'>,
): Promise<Result<readonly Problem[], Refusal>> {
  const { environment } = manifest;
  const links = groupBy(linksOf(manifest), ({ url }) => withoutFragment(url));
  if (links.size === 0) return ok([]);
  const unsafe = checkTransport({ baseUrl: 'https:' }, env);
  if (unsafe) return err(unsafe);
  const tls = await readTlsFiles(environment);
  if (!tls.ok) return tls;
  const { secrets: proxySecrets = [], proxyFor } = (await readProxies(env)) ?? {};
  const secrets = createSecrets(proxySecrets);
  const { baseUrl } = environment;
  const connections = createConnections({
    timeouts: { ...DEFAULT_TIMEOUTS, idleMs: 15_000 },
    clock,
    deadlines: clock,
    concurrency: AT_ONCE,
    proxyFor,
    redact: secrets.redact,
    tls:
      tls.value && baseUrl !== EMULATOR ? { origin: new URL(baseUrl).origin, files: tls.value } : undefined,
  });
  const late = new AbortController();
  const stopTimer = clock.after(LONGEST_MS, () => late.abort());
  const started = clock.monotonic();
  const limit = pLimit(AT_ONCE);
  const mostBytes = environment.gaps.maxUploadBytes ?? MOST_BYTES;
  let done = 0;
  const ask = async (url: string): Promise<string | undefined> => {
    const problem = late.signal.aborted
      ? NOT_ASKED
      : await askImage(url, { connections, secrets, mostBytes, signal: late.signal });
    const ms = clock.monotonic() - started;
    emit({ type: 'reading', what: 'asking for images', done: ++done, total: links.size, ms });
    return problem !== undefined && late.signal.aborted ? NOT_ASKED : problem;
  };
  try {
    const told = await Promise.all(
      [...links].map(async ([url, places]) => {
        const detail = await limit(() => ask(url));
        return detail === undefined
          ? []
          : places.map(({ source }) => ({ ...brokenLink(detail), ...quote(source) }));
      }),
    );
    return ok(told.flat());
  } finally {
    stopTimer();
    connections.close();
  }
}

const NOT_ASKED = 'The address was not asked, because ten minutes were over. Run again for fewer products.';

function brokenLink(detail: string): Problem {
  return { code: 'broken-link', summary: 'Image address does not lead to an image', detail };
}

/** Those of products and concepts that are there already are never sent. */
function linksOf({ products, concepts }: Campaign['manifest']): Linked[] {
  const owners = [
    ...products.map(({ id, images }) => ({ id, images })),
    ...concepts.map(({ id, refImages }) => ({ id, images: refImages })),
  ];
  return owners.flatMap(({ id, images }) =>
    id === undefined ? images.filter((image) => 'url' in image) : [],
  );
}

function withoutFragment(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}
