/**
 * The names that a campaign has for what is typed: environments, variables, addresses. For completion at a shell, in the
 * middle of typing: no request, no lock, nothing is written, and what cannot be read has no names.
 */
import { createProblems } from '../document/problems.ts';
import { readYaml } from '../document/read-yaml.ts';
import { chooseEnvironment, type EnvironmentChoice } from '../manifest/environment.ts';
import type { CampaignDocument } from '../manifest/generated/campaign-document.js';
import { loadManifest } from '../manifest/load.ts';
import type { ExpandedManifest, Post } from '../manifest/manifest.ts';
import { type Address, downloadAddress, mediaAddress } from '../model/address.ts';
import { EMULATOR } from '../model/emulator.ts';
import { objectAddress } from '../model/kinds.ts';
import { openStore } from '../store/open-store.ts';
import { defined } from '../util/defined.ts';
import { dayIn } from '../util/time-zone.ts';
import { listState } from '../views/list-state.ts';
import type { CampaignSource } from './campaign.ts';
import type { Runtime } from './runtime.ts';

export type NamingSource = Pick<CampaignSource, 'file' | 'environment' | 'state'>;
type Place = Pick<Runtime, 'disk' | 'env' | 'clock'>;

/** What is written there, whatever is wrong with it. */
function documentOf({ disk }: Place, file: string): CampaignDocument {
  const reading = { disk, problems: createProblems(), files: new Map() };
  return (readYaml({ path: file, shownAs: file, ref: '' }, reading) ?? {}) as CampaignDocument;
}

export function environmentNames(place: Place, { file }: NamingSource): string[] {
  return [...Object.keys(documentOf(place, file).service?.environments ?? {}), EMULATOR];
}

export function variableNames(place: Place, { file }: NamingSource): string[] {
  return Object.keys(documentOf(place, file).variables ?? {});
}

/** What is known of an address that only the manifest has. */
export const NEW = 'new';

/** Addresses, and what is known of each: its status in the state, or that it is new. */
export async function knownAddresses(
  place: Place,
  source: NamingSource,
  of: 'state' | 'state and manifest',
): Promise<ReadonlyMap<Address, string>> {
  const choice: EnvironmentChoice = {
    ...defined({
      environment: source.environment ?? place.env['CAMPAIGN_ENV'],
      baseUrl: place.env['CAMPAIGN_BASE_URL'],
    }),
    need: 'nothing',
  };
  const known = new Map<Address, string>();
  for (const { address, status } of await stateRows(place, source, choice)) known.set(address, status);
  if (of === 'state') return known;
  const loaded = await loadManifest({
    ...choice,
    disk: place.disk,
    file: source.file,
    variables: new Map(),
    outside: 'allow',
    today: (zone) => dayIn(zone, place.clock.now()),
  });
  if (!loaded.ok) return known;
  for (const address of manifestAddresses(loaded.value.manifest, known))
    if (!known.has(address)) known.set(address, NEW);
  return known;
}

async function stateRows(place: Place, { file, state }: NamingSource, choice: EnvironmentChoice) {
  const document = documentOf(place, file);
  const { chosen } = chooseEnvironment(document, choice, createProblems());
  const opened = openStore({
    manifest: file,
    identity: { campaign: document.name, environment: chosen, baseUrl: chosen === EMULATOR ? EMULATOR : '' },
    named: state ?? place.env['CAMPAIGN_STATE'],
    env: place.env,
    manifestsIn: () => [],
  });
  const found = opened.ok ? await opened.value.store.inFile?.peek().catch(() => undefined) : undefined;
  return found ? listState(found) : [];
}

/** Items without a key have numbers; which ones, only the state knows once it has their post. */
function* manifestAddresses(
  { products, concepts, posts, outputs }: ExpandedManifest,
  known: ReadonlyMap<Address, string>,
): Generator<Address> {
  for (const { key, id } of products) if (id === undefined) yield objectAddress('product', key);
  for (const { key, id } of concepts) if (id === undefined) yield objectAddress('concept', key);
  const begun = new Set([...known.keys()].map((address) => address.slice(0, address.lastIndexOf('/'))));
  for (const post of posts) {
    const path = post.instance === undefined ? post.key : `${post.key}/${post.instance}`;
    for (const item of itemNames(post, begun.has(`media/${path}`))) {
      const address = mediaAddress(path, item);
      yield address;
      if (outputs) yield downloadAddress(address);
    }
  }
}

function itemNames({ items }: Post, isBegun: boolean): string[] {
  let number = 0;
  return items.flatMap(({ key }) => key ?? (isBegun ? [] : String(++number)));
}
