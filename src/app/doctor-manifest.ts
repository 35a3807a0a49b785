import { EXIT } from '../model/exit.ts';
import type { Finding } from '../model/finding.ts';
import type { Result } from '../util/result.ts';
import { count } from '../util/count.ts';
import type { Campaign } from './campaign.ts';
import type { Refusal } from '../model/problem.ts';

/** The findings of the checks `manifest` and `environment`, which loading the campaign has already made. */
export function manifestFindings(path: string, loaded: Result<Campaign, Refusal>): Finding[] {
  return loaded.ok ? [readable(loaded.value)] : refused(path, loaded.error);
}

function readable({ manifest, graph, warnings: [warning] }: Campaign): Finding {
  const { products, concepts, file } = manifest;
  const check = 'manifest';
  if (warning) return { check, status: 'warning', summary: warning.summary, action: warning.detail ?? '' };
  const posts = graph.posts.reduce((sum, { items }) => sum + items.length, 0);
  const counts = [count(products.length, 'product'), count(concepts.length, 'concept'), count(posts, 'post')];
  return { check, status: 'ok', summary: `${file} is valid: ${counts.join(', ')}` };
}

/** Problems of how campaign was called belong to the environment, all others to the manifest. */
function refused(path: string, { exit, problems }: Refusal): Finding[] {
  const errors = problems.filter(({ severity }) => severity !== 'warning');
  const { code = '', summary = '', detail = '', position } = errors[0] ?? {};
  if (exit === EXIT.configuration || code === 'profile-without-emulator') {
    return [
      { check: 'manifest', status: 'ok', summary: `${path} can be read` },
      { check: 'environment', status: 'error', summary, action: detail, exit },
    ];
  }
  const place = position ? ` (${position.file}:${position.line})` : '';
  const more = errors.length > 1 ? `; ${errors.length} mistakes in all` : '';
  const action = position ? `${detail} \`campaign validate ${path}\` shows the place.` : detail;
  return [{ check: 'manifest', status: 'error', summary: `${summary}${place}${more}`, action, exit }];
}
