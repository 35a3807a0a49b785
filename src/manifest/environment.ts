import { EMULATOR } from '../model/emulator.ts';
import type { SourceRef } from '../model/source.ts';
import { isLoopbackHost } from '../util/loopback.ts';
import type { CampaignDocument, EnvironmentEntry, ServiceEntry } from './document.ts';
import { someOf } from '../util/did-you-mean.ts';
import type { Environments } from './known-id.ts';
import type { Environment, Gaps } from './manifest.ts';
import { checkMediaPath } from './media-path-template.ts';
import type { ProblemCode, Problems, Why } from '../document/problems.ts';

/** The name where no environment is chosen because nothing needs one. */
export const NO_ENVIRONMENT = 'none';
const ALONE = 'default';

/** Problems of how campaign was called, not of the manifest: they end with the code for a wrong configuration. */
export const CONFIGURATION_CODES: ReadonlySet<string> = new Set<ProblemCode>([
  'no-environment',
  'unknown-environment',
  'insecure-base-url',
  'invalid-base-url',
]);

/** What the caller says about the environment. */
export interface EnvironmentChoice {
  readonly environment?: string;
  readonly baseUrl?: string;
  readonly need: 'environment' | 'nothing';
}

/** The chosen environment, or why there is none. If some could not be read, no name counts as unknown. */
export function chooseEnvironment(
  { service = {} }: CampaignDocument,
  choice: EnvironmentChoice,
  problems: Problems,
): Environments {
  const names = Object.keys(service.environments ?? {});
  const byDefault = service.default_environment;
  const complete = !problems.isExplained('#/service') && !problems.isBroken('#/service/environments');
  const known = [...names, EMULATOR, ...(choice.baseUrl === undefined ? [] : [ALONE])];
  if (byDefault !== undefined && complete && !known.includes(byDefault)) {
    const source = '#/service/default_environment';
    problems.add({ code: 'unknown-environment', detail: unknown(byDefault, known, problems), source });
  }
  const { environment } = choice;
  if (environment !== undefined && complete && !known.includes(environment)) {
    problems.add({ code: 'unknown-environment', detail: unknown(environment, known, problems) });
  }
  const name = environment ?? byDefault ?? (choice.baseUrl === undefined ? undefined : ALONE);
  if (name === undefined && choice.need === 'environment' && complete)
    problems.add({ code: 'no-environment', detail: bothWaysOut(names) });
  const isKnown = name !== undefined && known.includes(name);
  return { chosen: isKnown ? name : NO_ENVIRONMENT, known: names, complete };
}

/** The chosen environment with its settings merged over those of `service:`. */
export function readEnvironment(
  name: string,
  { service, baseUrl }: { service: ServiceEntry; baseUrl: string | undefined },
  problems: Problems,
): Environment {
  const entry = entryOf(service, name);
  const gaps = gapsOf({ ...service, ...entry });
  if (name === EMULATOR || name === NO_ENVIRONMENT) {
    if (name === EMULATOR && baseUrl !== undefined) {
      const detail = 'The emulator runs inside campaign, whatever CAMPAIGN_BASE_URL says.';
      problems.add({ code: 'base-url-ignored', severity: 'warning', detail });
    }
    return { name, baseUrl: name === EMULATOR ? EMULATOR : '', gaps };
  }
  if (baseUrl !== undefined) checkBaseUrl(baseUrl, undefined, problems);
  const apiKeyEnv = entry?.api_key_env;
  return {
    name,
    baseUrl: (baseUrl ?? entry?.base_url ?? '').replace(/\/+$/, ''),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    gaps,
  };
}

/** Checks every environment of the manifest, chosen or not. */
export function checkEnvironments(service: ServiceEntry, problems: Problems): void {
  checkMediaPath(service.media_path, { source: '#/service/media_path', problems });
  for (const [name, { base_url, media_path }] of Object.entries(service.environments ?? {})) {
    const source = `#/service/environments/${name}`;
    if (name === EMULATOR || name === ALONE) {
      const meaning =
        name === EMULATOR
          ? 'always means the built-in emulator'
          : 'means that CAMPAIGN_BASE_URL is set and no environment is chosen';
      const detail = `"${name}" ${meaning}. Choose another name.`;
      problems.add({ code: 'reserved-name', detail, source, part: 'key' });
    }
    checkBaseUrl(base_url, `${source}/base_url`, problems);
    checkMediaPath(media_path, { source: `${source}/media_path`, problems });
  }
}

export function entryOf(service: ServiceEntry, name: string): EnvironmentEntry | undefined {
  const environments = service.environments ?? {};
  return Object.hasOwn(environments, name) ? environments[name] : undefined;
}

function checkBaseUrl(text: string, source: SourceRef | undefined, problems: Problems): void {
  const problem = baseUrlProblem(text);
  const whose = source === undefined ? 'CAMPAIGN_BASE_URL: ' : '';
  if (!problem) return;
  problems.add({ ...problem, detail: whose + problem.detail, ...(source === undefined ? {} : { source }) });
}

function baseUrlProblem(text: string): Why | undefined {
  if (text.includes('${{')) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash) {
    return {
      code: 'invalid-base-url',
      detail:
        'This is no address that requests can be sent to. Write one with https and without `?` and `#`, such as https://visuals.example.com/api.',
    };
  }
  if (url.username || url.password) {
    return {
      code: 'invalid-base-url',
      detail:
        'A user name or password in an address ends up in logs. Take it out; the API key comes from the variable that `api_key_env` names.',
    };
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return {
      code: 'insecure-base-url',
      detail:
        'Over http everyone on the way could read the API key. Write https; http is only for this machine (localhost).',
    };
  }
  return undefined;
}

function gapsOf(entry: Partial<ServiceEntry>): Gaps {
  const { media_path, statuses, upload_url, form, media_urls, nothing_done, on_unknown } = entry;
  return {
    ...(media_path === undefined ? {} : { mediaPath: media_path }),
    ...(statuses ? { statuses: { done: statuses.done ?? [], failed: statuses.failed ?? [] } } : {}),
    ...(upload_url === undefined ? {} : { uploadUrl: upload_url }),
    ...(form === undefined ? {} : { form }),
    ...(media_urls === undefined ? {} : { mediaUrls: media_urls }),
    ...(nothing_done ? { nothingDone: nothing_done } : {}),
    ...(on_unknown ? { onUnknown: on_unknown } : {}),
  };
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
