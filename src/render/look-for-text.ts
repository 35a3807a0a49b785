import type { LookFor } from '../model/problem.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import { shownWords } from '../views/look-for.ts';

/** `the product "Canvas tote", sent 2026-11-22 14:30:05 UTC`: what to look for at the service. */
export function lookForText(sought: LookFor): string {
  const sent = `sent ${momentText(sought.sent_at)}`;
  if (sought.kind !== 'media-config') return `the ${sought.kind} "${inertText(sought.name, 80)}", ${sent}`;
  const { concept, concept_id: id, posts, formats } = sought;
  const name = concept === undefined ? '' : ` "${inertText(concept, 80)}"`;
  const named = `${name}${id === undefined ? '' : ` (${id})`}`;
  const shown = formats.slice(0, SHOWN).join(', ');
  const shows = shownWords(sought);
  const more = formats.length > SHOWN ? ', …' : '';
  return `a request (media configuration) of the concept${named} with ${count(posts, 'post')} (${inertText(shown + more, 120)})${shows && `, ${shows}`}, ${sent}`;
}

const SHOWN = 4;

/** `2026-11-22 14:30:05 UTC` */
function momentText(iso: string): string {
  return iso.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');
}
