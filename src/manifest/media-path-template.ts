import type { SourceRef } from '../model/source.ts';
import type { Problems } from '../document/problems.ts';

const ROOTS = ['config', 'item', 'concept'];
const EXAMPLE = '/media/{config.id}/{item.id}/';

/** Checks the template for paths of media, because a wrong one would show only when no post is ever found. */
export function checkMediaPath(
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
