/**
 * Manifests of one command that would take each other's place: with one state what one made would count as the other's,
 * with one name and environment one is probably a copy of the other, and in one output folder their files would push
 * each other aside. The first one keeps the place, and the others are refused.
 */
import path from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import { realOf } from '../manifest/path-sandbox.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { Store } from '../store/store.ts';
import type { Disk } from '../util/disk.ts';
import { identityOf } from './state-place.ts';

interface Placed {
  readonly manifest: Pick<Manifest, 'folder' | 'name' | 'environment' | 'outputs'>;
  readonly store: Pick<Store, 'name' | 'inFile'>;
}

export type Claims = ReturnType<typeof createClaims>;

export function createClaims(disk: Disk) {
  const owners = new Map<string, string>();
  return {
    /** Why this manifest cannot have its turn; undefined if its places are its own now. */
    claim(file: string, placed: Placed): Refusal | undefined {
      const places = placesOf(disk, placed);
      for (const { key, why } of places) {
        const owner = owners.get(key);
        if (owner !== undefined && owner !== file) return why(file, owner);
      }
      for (const { key } of places) owners.set(key, file);
      return undefined;
    },
  };
}

type Why = (file: string, owner: string) => Refusal;

function placesOf(disk: Disk, { manifest, store }: Placed): { readonly key: string; readonly why: Why }[] {
  const { folder, name, environment, outputs } = manifest;
  const real = (place: string) => realOf(disk, path.resolve(place));
  return [
    { key: JSON.stringify(identityOf(manifest)), why: oneName(name, environment.name) },
    // A database has the states of many campaigns.
    ...(store.inFile ? [{ key: `state ${real(store.name)}`, why: oneState(store.name) }] : []),
    ...(outputs
      ? [{ key: `outputs ${real(path.resolve(folder, outputs.dir))}`, why: oneFolder(outputs.dir) }]
      : []),
  ];
}

function oneState(state: string): Why {
  return (file, owner) =>
    refused({
      code: 'same-state',
      summary: 'Two manifests have one state',
      detail:
        `${owner} and ${file} both have the state ${state}, and what one of them has made would count as made by the ` +
        `other. Nothing was sent for ${file}. Give it another \`name:\`, or another --state, or leave it out.`,
    });
}

function oneName(name: string, environment: string): Why {
  return (file, owner) =>
    refused({
      code: 'same-campaign',
      summary: 'Two manifests are one campaign',
      detail:
        `${owner} and ${file} are both named "${name}", for the environment "${environment}" of one service. If one is a copy of ` +
        `the other, all of it would be made twice, so nothing was sent for ${file}. Leave it out, or give it another ` +
        '`name:`.',
    });
}

function oneFolder(dir: string): Why {
  return (file, owner) =>
    refused({
      code: 'same-outputs',
      summary: 'Two manifests have one output folder',
      detail:
        `${owner} and ${file} both put their files into ${dir}, where they would push each other aside. Nothing was sent ` +
        `for ${file}. Leave \`outputs.dir\` out (out/<name>/<environment>), or name a folder of its own.`,
    });
}

function refused(problem: Parameters<typeof refusal>[1]): Refusal {
  return refusal(EXIT.invalidManifest, problem);
}
