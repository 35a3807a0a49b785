// Writes docs/reference.md: the prose of scripts/reference.md with what `campaign --help`, and the help of every command,
// say. It asks the built command, so `npm run build` comes first. With `--stdout` it prints instead; a test compares.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const SHARED = 'Options of every command that reads a manifest';

const main = helpOf([]);
const commands = commandsBelow([], main);
const [reading] = commands.filter(({ sections }) => sections.has(SHARED));
const parts = {
  'exit codes': table(['code', 'meaning'], main.sections.get('Exit codes')),
  commands: commands.flatMap(commandText),
  'shared options': table(['option', 'does'], reading.sections.get(SHARED)),
};

const template = readFileSync(new URL('reference.md', import.meta.url), 'utf8');
const text = template.replace(/<!-- ([a-z ]+) -->/g, (_, part) => parts[part].join('\n'));
if (process.argv.includes('--stdout')) process.stdout.write(text);
else writeFileSync(new URL('../docs/reference.md', import.meta.url), text);

/** The commands that a help text lists, each followed by its own; a command that only groups others is left out. */
function commandsBelow(path, { sections }) {
  const names = sections.get('Commands').map(([term]) => term.split(' ')[0]);
  return names
    .filter((name) => name !== 'help')
    .flatMap((name) => {
      const own = helpOf([...path, name]);
      return own.sections.has('Commands') ? commandsBelow([...path, name], own) : [own];
    });
}

/** Usage, description and sections of a help text; a section is a list of terms with what is said of them. */
function helpOf(path) {
  const [usage, ...lines] = execFileSync(process.execPath, [cli, ...path, '--help'], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
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
