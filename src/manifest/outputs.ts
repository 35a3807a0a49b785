import { someOf } from '../util/did-you-mean.ts';
import type { CampaignDocument } from './generated/campaign-document.js';
import type { ImageScope } from './list-images.ts';
import type { Outputs, Post } from './manifest.ts';
import { checkOutputDir, checkOutputLengths, controlText } from './output-lengths.ts';
import { checkOutputNames, outputNames } from './output-names.ts';
import type { Problems } from '../document/problems.ts';

/** Default of manifest version 1. */
const NAME = '{post}/{instance}/{item}-{post_type}';
const PLACEHOLDERS = ['post', 'instance', 'item', 'post_type', 'take'];

interface Scope extends Omit<ImageScope, 'outputs'> {
  readonly campaign: string;
  readonly environment: string;
  readonly posts: readonly Post[];
}

/** The folder that holds the results of every environment, if it is known; files in it are no photos. */
export function outputRoot(written: CampaignDocument['outputs'], campaign: string): string | undefined {
  if (written === false) return undefined;
  return (typeof written === 'object' ? written.dir : undefined) ?? `out/${campaign}`;
}

export function readOutputs(written: CampaignDocument['outputs'], scope: Scope): Outputs | false {
  if (written === false) return false;
  const { campaign, environment, folder, sandbox, posts, problems } = scope;
  const { dir = `out/${campaign}/${environment}`, name = NAME } = typeof written === 'object' ? written : {};
  if (!sandbox.staysInside(dir)) {
    const detail = `"${dir}" leads out of the folder of the manifest, where nothing else is written. Write a path below it, or allow this with --allow-outside.`;
    problems.add({ code: 'outside-folder', detail, source: '#/outputs/dir' });
  }
  checkOutputDir(dir, problems);
  checkTemplate(name, problems);
  if (!problems.isBroken('#/outputs') && !problems.isBroken('#/posts')) {
    const at = typeof written === 'object' && written.name !== undefined ? '#/outputs/name' : undefined;
    const names = [...outputNames(posts, name)];
    checkOutputLengths(names, { folder, dir, at }, problems);
    checkOutputNames(names, { dir, name, at }, problems);
  }
  return { dir, name };
}

function checkTemplate(name: string, problems: Problems): void {
  const source = '#/outputs/name';
  const control = controlText(name);
  if (control !== undefined) problems.add({ code: 'invalid-value', detail: control, source });
  if (name.startsWith('/') || name.split('/').includes('..')) {
    const detail = 'A file name stays below the output folder. Take `..` and a `/` at its beginning out.';
    problems.add({ code: 'outside-folder', detail, source });
  }
  const stray = /[{}]/.exec(name.replace(/\{[^{}]*\}/g, ''))?.[0];
  if (stray !== undefined) {
    const detail = `The name has a \`${stray}\` without its partner. Placeholders are written {post}, {item} and so on.`;
    problems.add({ code: 'unknown-placeholder', detail, source, fragment: stray });
  }
  for (const [fragment, placeholder = ''] of name.matchAll(/\{([^{}]*)\}/g)) {
    if (PLACEHOLDERS.includes(placeholder)) continue;
    const hint =
      problems.didYouMean(placeholder, () => PLACEHOLDERS) || ` Known placeholders: ${someOf(PLACEHOLDERS)}.`;
    const detail = `There is no placeholder "${placeholder}".${hint}`;
    problems.add({ code: 'unknown-placeholder', detail, source, fragment });
  }
}
