import path from 'node:path';
import { EMULATOR } from '../model/emulator.ts';
import { isLostAnswer, warningAbout } from '../model/nothing-done.ts';
import type { SourceRef } from '../model/source.ts';
import { isLoopbackHost } from '../util/loopback.ts';
import type {
  CampaignDocument,
  Environment as EnvironmentEntry,
  Service as ServiceEntry,
} from './generated/campaign-document.js';
import { defined } from '../util/defined.ts';
import { someOf } from '../util/did-you-mean.ts';
import { parseDuration } from '../util/duration.ts';
import type { Environment, Gaps } from './manifest.ts';
import type { ProblemCode, Problems, Why } from '../document/problems.ts';

/** The name where no environment is chosen because nothing needs one. */
export const NO_ENVIRONMENT = 'none';

export interface Environments {
  readonly chosen: string;
  readonly known: readonly string[];
  /** False where some could not be read: then no name counts as unknown. */
  readonly complete: boolean;
}

/** Where CAMPAIGN_BASE_URL is set and no environment is chosen. */
export const ALONE = 'default';

/** Problems of how campaign was called, not of the manifest: they end with the code for a wrong configuration. */
export const CONFIGURATION_CODES: ReadonlySet<string> = new Set<ProblemCode>([
  'no-environment',
  'unknown-environment',
  'insecure-base-url',
  'invalid-base-url',
]);

export interface EnvironmentChoice {
  /** --env, CAMPAIGN_ENV. */
  readonly environment?: string;
  /** CAMPAIGN_BASE_URL. */
  readonly baseUrl?: string;
  readonly need: 'environment' | 'nothing';
}

/** The chosen environment, or why there is none. If some could not be read, no name counts as unknown. */
export function chooseEnvironment(
  { service = {} }: CampaignDocument,
  { environment, baseUrl, need }: EnvironmentChoice,
  problems: Problems,
): Environments {
  const names = Object.keys(service.environments ?? {});
  const byDefault = service.default_environment;
  const complete = !problems.isExplained('#/service') && !problems.isBroken('#/service/environments');
  const known = [...names, EMULATOR, ...(baseUrl === undefined ? [] : [ALONE])];
  if (byDefault !== undefined && complete && !known.includes(byDefault)) {
    const source = '#/service/default_environment';
    problems.add({ code: 'unknown-environment', detail: unknown(byDefault, known, problems), source });
  }
  if (environment !== undefined && complete && !known.includes(environment))
    problems.add({ code: 'unknown-environment', detail: unknown(environment, known, problems) });
  const name = environment ?? byDefault ?? (baseUrl === undefined ? undefined : ALONE);
  if (name === undefined && need === 'environment' && complete)
    problems.add({ code: 'no-environment', detail: bothWaysOut(names) });
  const isKnown = name !== undefined && known.includes(name);
  return { chosen: isKnown ? name : NO_ENVIRONMENT, known: names, complete };
}

export function readEnvironment(
  name: string,
  { service, baseUrl, folder }: { service: ServiceEntry; baseUrl: string | undefined; folder: string },
  problems: Problems,
): Environment {
  const entry = entryOf(service, name);
  const gaps = gapsOf({ ...service, ...entry }, folder);
  if (name === NO_ENVIRONMENT) return { name, baseUrl: '', gaps };
  if (name === EMULATOR) {
    const detail = 'The emulator runs inside campaign, whatever CAMPAIGN_BASE_URL says.';
    if (baseUrl !== undefined) problems.add({ code: 'base-url-ignored', severity: 'warning', detail });
    return { name, baseUrl: EMULATOR, gaps };
  }
  const why = baseUrl === undefined ? undefined : whyUnusable(baseUrl);
  if (why) problems.add({ ...why, detail: `CAMPAIGN_BASE_URL: ${why.detail}` });
  const url = (baseUrl ?? entry?.base_url ?? '').replace(/\/+$/, '');
  return { name, baseUrl: url, ...defined({ apiKeyEnv: entry?.api_key_env }), gaps };
}

const RESERVED = {
  [EMULATOR]: 'always means the built-in emulator',
  [ALONE]: 'means that CAMPAIGN_BASE_URL is set and no environment is chosen',
};

export function checkEnvironments(service: ServiceEntry, problems: Problems): void {
  checkMediaPath(service.media_path, { source: '#/service/media_path', problems });
  checkNothingDone(service.nothing_done, { source: '#/service/nothing_done', problems });
  checkTls(service.tls, { source: '#/service/tls', problems });
  for (const [name, environment] of Object.entries(service.environments ?? {})) {
    const { base_url, media_path, nothing_done, tls } = environment;
    const source = `#/service/environments/${name}`;
    if (name === EMULATOR || name === ALONE) {
      const detail = `"${name}" ${RESERVED[name]}. Choose another name.`;
      problems.add({ code: 'reserved-name', detail, source, part: 'key' });
    }
    const why = whyUnusable(base_url);
    if (why) problems.add({ ...why, source: `${source}/base_url` });
    checkMediaPath(media_path, { source: `${source}/media_path`, problems });
    checkNothingDone(nothing_done, { source: `${source}/nothing_done`, problems });
    checkTls(tls, { source: `${source}/tls`, problems });
  }
}

export function entryOf(service: ServiceEntry, name: string): EnvironmentEntry | undefined {
  const environments = service.environments ?? {};
  return Object.hasOwn(environments, name) ? environments[name] : undefined;
}

function whyUnusable(text: string): Why | undefined {
  if (text.includes('${{')) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash) {
    const detail =
      'This is no address that requests can be sent to. Write one with https and without `?` and `#`, such as https://visuals.example.com/api.';
    return { code: 'invalid-base-url', detail };
  }
  if (url.username || url.password) {
    const detail =
      'A user name or password in an address ends up in logs. Take it out; the API key comes from the variable that `api_key_env` names.';
    return { code: 'invalid-base-url', detail };
  }
  if (url.protocol === 'https:' || isLoopbackHost(url.hostname)) return undefined;
  const detail =
    'Over http everyone on the way could read the API key. Write https; http is only for this machine (localhost).';
  return { code: 'insecure-base-url', detail };
}

const ROOTS = ['config', 'item', 'concept'];
const EXAMPLE = '/media/{config.id}/{item.id}/';

/** Checks the template for paths of media, because a wrong one would show only when no post is ever found. */
function checkMediaPath(
  template: string | undefined,
  { source, problems }: { source: SourceRef; problems: Problems },
): void {
  if (template === undefined || template.includes('${{')) return;
  for (const [fragment, name = ''] of template.matchAll(/\{([^{}]*)\}/g)) {
    const [root = '', ...fields] = name.split('.');
    if (ROOTS.includes(root) && fields.length > 0 && fields.every(Boolean)) continue;
    const hint =
      problems.didYouMean(root, () => ROOTS.filter((known) => known !== root)) ||
      ' It is {config.id}, {concept.id}, or {item.FIELD} with a field of the created item.';
    const detail = `There is no placeholder ${fragment} for the path of generated media.${hint}`;
    problems.add({ code: 'unknown-placeholder', detail, source, fragment });
  }
  const parts = template
    .replace(/^\/media\//, '')
    .replace(/^\/|\/$/g, '')
    .split('/');
  if ((parts.length === 2 && parts.every(Boolean)) || problems.isExplained(source)) return;
  const detail = `The path of generated media has two parts behind /media/, and this one has ${parts.filter(Boolean).length}. For example: ${EXAMPLE}`;
  problems.add({ code: 'invalid-value', detail, source });
}

/** Warns about each status that never proves that nothing was done. */
function checkNothingDone(
  statuses: ServiceEntry['nothing_done'] = [],
  { source, problems }: { source: SourceRef; problems: Problems },
): void {
  for (const [index, status] of statuses.entries())
    if (typeof status === 'number' && isLostAnswer(status))
      problems.add({
        code: 'no-proof',
        severity: 'warning',
        detail: warningAbout(status),
        source: `${source}/${index}`,
      });
}

function checkTls(
  { cert, key }: NonNullable<ServiceEntry['tls']> = {},
  { source, problems }: { source: SourceRef; problems: Problems },
): void {
  if ((cert === undefined) === (key === undefined)) return;
  const [there, missing] = cert === undefined ? ['key', 'cert'] : ['cert', 'key'];
  const detail = `A client certificate needs its private key: write \`${missing}\` beside \`${there}\`.`;
  problems.add({ code: 'invalid-value', detail, source });
}

function gapsOf(entry: Partial<ServiceEntry>, folder: string): Gaps {
  const { statuses, timeouts, tls } = entry;
  const fileOf = (file: string | undefined) => file && path.resolve(folder, file);
  return defined({
    mediaPath: entry.media_path,
    statuses: statuses && { done: statuses.done ?? [], failed: statuses.failed ?? [] },
    uploadUrl: entry.upload_url,
    maxUploadBytes: entry.max_upload_bytes,
    form: entry.form,
    mediaUrls: entry.media_urls,
    nothingDone: entry.nothing_done,
    onUnknown: entry.on_unknown,
    timeouts: timeouts && defined({ answerMs: msOf(timeouts.answer), uploadMs: msOf(timeouts.upload) }),
    tls: tls && defined({ cert: fileOf(tls.cert), key: fileOf(tls.key), ca: fileOf(tls.ca) }),
  });
}

function msOf(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : parseDuration(duration);
}

function unknown(name: string, known: readonly string[], problems: Problems): string {
  const hint = problems.didYouMean(name, () => known);
  return `There is no environment "${name}". Known environments: ${someOf(known)}.${hint}`;
}

function bothWaysOut(names: readonly string[]): string {
  const choices = [...names, EMULATOR].join(', ');
  return (
    `Name an environment with --env or CAMPAIGN_ENV (${choices}), or set CAMPAIGN_BASE_URL and CAMPAIGN_API_KEY. ` +
    '`--env emulator` rehearses without a service; it is never chosen by itself.'
  );
}
