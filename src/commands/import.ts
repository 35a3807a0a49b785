import { hostOf } from '../app/host-of.ts';
import { type ImportedNode, importNode } from '../app/import-node.ts';
import { consentOf } from '../cli/confirm.ts';
import type { ChangeOptions } from '../cli/options.ts';
import { namesOf } from '../cli/output.ts';
import { type CommandEnd, loadFor, type Session } from '../cli/session.ts';
import { targetOf } from '../cli/target.ts';
import { mediaAddress } from '../model/address.ts';
import { commandText } from '../model/command-text.ts';
import { EXIT } from '../model/exit.ts';
import { refusal } from '../model/problem.ts';
import { count } from '../util/count.ts';

interface ImportOptions extends ChangeOptions {
  readonly unverified?: true;
}

export async function importCommand(session: Session<ImportOptions>): CommandEnd {
  const { options, runtime } = session;
  const { file, rest } = targetOf(session.args);
  const [address, id, ...more] = rest;
  if (address === undefined || id === undefined || more.length) return WRONG_ARGUMENTS;
  const loaded = await loadFor(session, file);
  if (!loaded.ok) return loaded.error;
  const campaign = loaded.value;
  const imported = await importNode(runtime, campaign, {
    address,
    id,
    look: options.unverified ? 'unverified' : 'look',
    consent: consentOf(session),
    lockTimeoutMs: options.lockTimeout,
  });
  if (!imported.ok) return imported.error;
  const { manifest, target } = campaign;
  const { output } = session.about(namesOf(manifest));
  const { name, environment } = manifest;
  const where = `${name} · ${environment.name} · ${hostOf(environment)}`;
  const words = importedWords(imported.value, commandText('plan', target));
  const { event } = imported.value;
  const text = `${output.style.green('✓')} ${event.address} is ${id} from now on (${where}).\n  ${words}\n`;
  output.answer(importedJson(imported.value), text);
  return EXIT.ok;
}

function postsOf({ event: { request, result } }: ImportedNode) {
  const surplus = ('surplus' in result && result.surplus) || [];
  const addressOf = (item: string) => mediaAddress(request?.post ?? '', item);
  const posts = request?.items.map(({ item }) => addressOf(item)) ?? [];
  return { posts, surplus: surplus.map(addressOf) };
}

function importedJson(imported: ImportedNode): object {
  const { event, isRead } = imported;
  const node = { address: event.address, id: event.result.id, verified: isRead };
  return event.request ? { ...node, ...postsOf(imported) } : node;
}

function importedWords(imported: ImportedNode, plan: string): string {
  const { event, isRead } = imported;
  if (!isRead)
    return `The service was not asked for it: the next apply sends all of it as the manifest has it. \`${plan}\` shows that.`;
  if (!event.request) return `\`${plan}\` shows what differs from the manifest.`;
  const { posts, surplus } = postsOf(imported);
  const beyond = surplus.length ? `, and ${surplus.join(', ')} beyond what the manifest asks for` : '';
  const one = posts.length + surplus.length === 1;
  return (
    `It has ${count(posts.length, 'post')} of the manifest: ${posts.join(', ')}${beyond}. The next apply fetches ` +
    `${one ? 'it' : 'them'} and pays nothing.`
  );
}

const WRONG_ARGUMENTS = refusal(EXIT.usage, {
  code: 'not-importable',
  summary: 'An address and an id are needed',
  detail:
    'Name what it is to be, and its id at the service: `campaign import product/tote 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f`.',
});
