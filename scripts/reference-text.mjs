// The text of docs/reference.md: the prose of scripts/reference.md with what `campaign --help`, and the help of every
// command, say.
import { readFileSync } from 'node:fs';

const SHARED = 'Options of every command that reads a manifest';

/** `print`: gives what campaign prints for these arguments. */
export async function referenceText(print) {
  const main = await helpOf(print, []);
  const commands = await commandsBelow(print, [], main);
  const [reading] = commands.filter(({ sections }) => sections.has(SHARED));
  const parts = {
    'exit codes': table(['code', 'meaning'], main.sections.get('Exit codes')),
    commands: commands.flatMap(commandText),
    'shared options': table(['option', 'does'], reading.sections.get(SHARED)),
  };
  const template = readFileSync(new URL('reference.md', import.meta.url), 'utf8');
  return template.replace(/<!-- ([a-z ]+) -->/g, (_, part) => parts[part].join('\n'));
}

/** The commands that a help text lists, each followed by its own; a command that only groups others is left out. */
async function commandsBelow(print, path, { sections }) {
  const names = sections.get('Commands').map(([term]) => term.split(' ')[0]);
  const found = [];
  for (const name of names.filter((each) => each !== 'help')) {
    const below = [...path, name];
    const own = await helpOf(print, below);
    found.push(...(own.sections.has('Commands') ? await commandsBelow(print, below, own) : [own]));
  }
  return found;
}

/** Usage, description and sections of a help text; a section is a list of terms with what is said of them. */
async function helpOf(print, path) {
  const [usage, ...lines] = (await print([...path, '--help'])).trimEnd().split('\n');
  const sections = new Map();
  const description = [];
  let entries;
  for (const line of lines.filter((text) => text !== '')) {
    const [, heading] = /^(\S.*):$/.exec(line) ?? [];
    if (heading !== undefined) sections.set(heading, (entries = []));
    else if (entries === undefined) description.push(line);
    else if (/^ {2}\S/.test(line)) entries.push(line.trim().split(/ {2,}/));
    else entries.at(-1)[1] += ` ${line.trim()}`;
  }
  return {
    name: ['campaign', ...path].join(' '),
    usage: usage.replace('Usage: ', ''),
    description: description.join(' '),
    sections,
  };
}

function commandText({ name, usage, description, sections }) {
  const options = (sections.get('Options') ?? []).filter(([term]) => !term.startsWith('-h,'));
  return [
    `### ${name}`,
    '',
    `${description[0].toUpperCase()}${description.slice(1)}.`,
    '',
    `Usage: \`${usage}\``,
    '',
    '```console',
    ...(sections.get('Examples') ?? []).map(([line]) => line),
    '```',
    '',
    ...(options.length ? [...table(['option', 'does'], options), ''] : []),
    ...(sections.has(SHARED) ? [] : ['It reads no manifest, so the shared options are not for it.', '']),
  ];
}

function table(head, rows) {
  const cells = rows.map(
    ([term, words = '']) => `| \`${term.replace('|', '\\|')}\` | ${words.replace(/[|*<]/g, '\\$&')} |`,
  );
  return [`| ${head.join(' | ')} |`, '|---|---|', ...cells];
}
