// Writes docs/manifest.md: the prose of scripts/manifest-docs.md with a table of fields for every
// `<!-- fields PLACE… [: FIELD…] -->`, made from schemas/*.schema.json. Places are paths such as `posts.<post>.items[]`;
// the first one is described, the others are named as having the same fields. Fields that another directive describes
// are left to it. With `--stdout` it prints instead; test/schema/docs.test.ts compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const campaign = JSON.parse(read('schemas/campaign.schema.json'));
const product = JSON.parse(read('schemas/product.schema.json'));
const template = read('scripts/manifest-docs.md');

const DIRECTIVE = /^<!-- (fields|example|contents) ?(.*?) ?-->$/;
/** What the schema cannot say, because it depends on something else in the manifest. */
const NEEDED = {
  'products.<product>.images': 'the product folder; needed without one and without `id`',
  'posts.<post>.concept': '**required**',
  'posts.<post>.items[].post_type': '**required**, here or in `defaults`',
  'posts.<post>.items[].aspect_ratio': '**required**, here or in `defaults`',
};
/** Kinds of text that have a name of their own. */
const PATTERNS = [
  [/^\^\[0-9A-Fa-f\]\{8\}/, 'UUID'],
  [/^\^\(\[0-9\]\+\(ms/, 'duration'],
  [/^\^\\\*\$$/, '`"*"`'],
];
/** Words of a description that are set as code. */
const CODE =
  /`[^`]+`|\$\{\{.*?\}\}|--[a-z]+(?: x=…)?|\{\w+(?:: \w+)?\}|"\*"|(?<![\w-])[\w.]*_\w+|\b(?:config|item|concept)\.(?:id|<field>)|\bproduct\.yaml/g;

const sections = findSections(template.split('\n'));
const places = new Map(
  sections.toReversed().flatMap((section) => section.places.map((place) => [place, section])),
);
const text = template.split('\n').flatMap(render).join('\n');

if (process.argv.includes('--stdout')) process.stdout.write(text);
else writeFileSync(new URL('../docs/manifest.md', import.meta.url), text);

/** Every `fields` directive with the heading it stands under. */
function findSections(lines) {
  let heading = '';
  return lines.flatMap((line) => {
    heading = /^##+ (.*)/.exec(line)?.[1] ?? heading;
    const [, kind, words] = DIRECTIVE.exec(line) ?? [];
    if (kind !== 'fields') return [];
    const [where, only] = words.split(' : ').map((list) => list.split(' '));
    return [{ line, heading, places: where, only }];
  });
}

function render(line) {
  const [, kind, words] = DIRECTIVE.exec(line) ?? [];
  if (kind === 'contents') return contents();
  if (kind === 'example') return fenced((words === 'product.yaml' ? product : campaign).examples[0]);
  const section = sections.find((candidate) => candidate.line === line);
  return section ? table(section) : [line];
}

function contents() {
  const headings = template.split('\n').filter((line) => /^###? /.test(line));
  return headings.map((line) => {
    const [, hashes, heading] = /^(##+) (.*)/.exec(line);
    return `${hashes === '##' ? '' : '  '}- [${heading}](#${anchor(heading)})`;
  });
}

function fenced(value) {
  return ['```yaml', stringify(value, { compat: 'yaml-1.1', lineWidth: 0 }).trim(), '```'];
}

function table(section) {
  const rows = section.places[0] === 'product.yaml' ? fieldsOf(product, 'product.yaml') : rowsOf(section);
  return [
    ...whereItStands(section),
    '| field | type | default | meaning |',
    '|---|---|---|---|',
    ...rows.map(({ name, path, schema, required }) => {
      const { meaning, byDefault } = describe(schema);
      const needed = NEEDED[path] ?? (required ? '**required**' : byDefault);
      const examples =
        places.has(path) || places.has(`${path}[]`) || members(path) ? [] : (schema.examples ?? []);
      const shown = examples.map((example) => `<br>\`${lastOf(name)}: ${flow(example)}\``).join('');
      return `| \`${name}\` | ${typeOf(schema, path)} | ${needed} | ${meaning}${shown} |`;
    }),
  ];
}

function rowsOf({ places: [place], only }) {
  const rows = fieldsOf(at(place), place === '.' ? '' : place);
  return only ? rows.filter(({ name }) => only.includes(name.split(/[.[]/)[0])) : rows;
}

/** The fields below a schema, nested ones after theirs, without those that have a table of their own. */
function fieldsOf(schema, path, prefix = '') {
  const named = Object.entries(schema.properties ?? {}).map(([name, member]) => [name, resolve(member)]);
  const values = resolve(schema.additionalProperties);
  if (values?.title) named.unshift(['<name>', values]);
  return named.flatMap(([name, member]) => {
    const own = `${path}${path && '.'}${name}`;
    const required = schema.required?.includes(name) ?? false;
    const row = { name: prefix + name, path: own, schema: member, required };
    if (isElsewhere(own)) return [row];
    const entries = resolve(member.items);
    if (entries?.properties) {
      return isElsewhere(`${own}[]`) ? [row] : [row, ...fieldsOf(entries, `${own}[]`, `${prefix}${name}[].`)];
    }
    return member.properties ? [row, ...fieldsOf(member, own, `${prefix}${name}.`)] : [row];
  });
}

/** True for a place with a table of its own, or the map or list of one. */
function isElsewhere(path) {
  return places.has(path) || members(path) !== undefined;
}

/** The place of the members of a map. */
function members(path) {
  return [...places.keys()].find(
    (place) => place.startsWith(`${path}.<`) && !place.slice(path.length + 1).includes('.'),
  );
}

/** Where the fields of a section may be written, and which of them not everywhere. */
function whereItStands({ places: [first, ...others], only }) {
  if (first === '.') return ['At the top level:', ''];
  if (first === 'product.yaml') return ['In a `product.yaml`:', ''];
  const all = Object.keys(at(first).properties);
  const alsoAt = others.map((place) => {
    const there = at(place).properties;
    const missing = only ? [] : all.filter((name) => !(name in there));
    const without = missing.map((name) => `\`${name}\``).join(', ');
    return `\`${place}\`${without && ` (without ${without})`}`;
  });
  const isRefused = at(first.replace(/\[\]$/, ''))['x-not-supported-yet'];
  const refused = isRefused ? ['Not supported yet: a manifest that says it is refused.', ''] : [];
  return [...refused, `At ${[`\`${first}\``, ...alsoAt].join(' and ')}:`, ''];
}

function describe({ description }) {
  const [, byDefault] = /(?:\bDefault:|, default) ([^.;]+)/.exec(description) ?? [];
  const isProse = byDefault === undefined || byDefault === 'none' || byDefault.includes(' ');
  return {
    meaning: prose(description.replace(/ Default: [^.]+\./, '').replace(/, default \w+/, '')),
    byDefault: isProse ? prose(byDefault ?? '') : `\`${byDefault}\``,
  };
}

function prose(text) {
  const coded = text.replace(CODE, (word) => (word.startsWith('`') ? word : `\`${word}\``));
  return coded.replaceAll('|', '\\|');
}

function typeOf(schema, path) {
  const place = [path, `${path}[]`, members(path)].find((candidate) => places.has(candidate));
  const named = [schema.type]
    .flat()
    .map((type) => typeName(type, schema))
    .join(' or ');
  return place ? `[${named}](#${anchor(places.get(place).heading)})` : named;
}

function typeName(type, schema) {
  const { minimum, exclusiveMinimum, maximum } = schema;
  const least = minimum === undefined ? '' : maximum ? ` ${minimum}–${maximum}` : ` ≥ ${minimum}`;
  switch (type) {
    case 'integer':
      return schema.const === undefined ? `whole number${least}` : `\`${schema.const}\``;
    case 'number':
      return `number${exclusiveMinimum === undefined ? least : ` > ${exclusiveMinimum}`}`;
    case 'boolean':
      return schema.not?.const === true ? '`false`' : 'true or false';
    case 'array':
      return `list of ${plural(resolve(schema.items))}`;
    case 'object':
      return mapName(schema);
    default:
      return textName(schema);
  }
}

function textName({ enum: words, format, pattern }) {
  if (words)
    return words
      .map((word) => `\`${word}\``)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1');
  if (format === 'uri') return 'URL';
  return PATTERNS.find(([shape]) => shape.test(pattern ?? ''))?.[1] ?? 'text';
}

function mapName({ properties, additionalProperties }) {
  const values = resolve(additionalProperties);
  const hasOwnTable = Object.keys(properties ?? {}).length > 0;
  return typeof values !== 'object' || hasOwnTable ? 'map' : `map of ${plural(values)}`;
}

function plural(schema) {
  if (schema.type === 'object') return 'maps';
  const names = [schema.type]
    .flat()
    .map((type) => typeName(type, schema).replace(/^(whole number|\w+)/, '$1s'));
  const joined = names.join(', ').replace(/, ([^,]*)$/, ' or $1');
  return joined.replace('trues or false', 'true/false');
}

/** The schema at a path such as `posts.<post>.items[]`. */
function at(path) {
  const steps = path === '.' ? [] : path.replaceAll('[]', '.[]').split('.');
  return steps.reduce((schema, step) => {
    if (step === '[]') return resolve(schema.items);
    return resolve(step.startsWith('<') ? schema.additionalProperties : schema.properties[step]);
  }, campaign);
}

function resolve(schema) {
  const name = schema?.$ref?.replace('#/$defs/', '');
  return name === undefined ? schema : campaign.$defs[name];
}

/** A value on one line of YAML. */
function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object') {
    const list = stringify([value], { compat: 'yaml-1.1', collectionStyle: 'flow', lineWidth: 0 });
    return list.trim().slice(2, -2);
  }
  const entries = Object.entries(value).map(([key, member]) => `${key}: ${flow(member)}`);
  return `{ ${entries.join(', ')} }`;
}

function lastOf(name) {
  return name.split('.').at(-1).replace('<name>', 'ratio');
}

function anchor(heading) {
  return heading.toLowerCase().replaceAll(' ', '-');
}
