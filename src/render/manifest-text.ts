/** The text of a first manifest: what `campaign init` writes, with comments for whoever goes on from there. */
import { commandText } from '../model/command-text.ts';
import { inertText } from '../util/inert-text.ts';

export interface FirstManifest {
  readonly name: string;
  /** Its file, as commands name it; empty where they need not. */
  readonly target: string;
  /** The file that editors read the schema from. */
  readonly schema: string;
  /** A table of products. */
  readonly table: string | undefined;
  readonly folders: readonly string[];
  readonly products: readonly {
    readonly key: string;
    /** Absent where the product has its name from elsewhere. */
    readonly name?: string | undefined;
    readonly images: readonly string[];
  }[];
  /** Photos that could not be taken, with the reason. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
  /** What the pictures have in common. */
  readonly look: string;
  readonly ratios: readonly string[];
}

export function manifestText(first: FirstManifest): string {
  const { name, target, schema, look, ratios } = first;
  return `# yaml-language-server: $schema=${schema}
#
# Try it without a service, and without paying:  ${commandText('apply', target, '--env emulator')}
# See what would be requested, before it is:     ${commandText('plan', target, '--env emulator')}
version: 1
name: ${scalar(name)}

# Where the pictures are made. The API key is never written here: the variable that api_key_env names holds it.
# service:
#   environments:
#     production: { base_url: https://visuals.example.com/api, api_key_env: VISUALS_KEY }
#   default_environment: production

${productsText(first)}
concepts:
  # A creative direction: light, mood, materials, colours. ref_images: [refs/plain] adds reference images.
  plain:
    description: ${scalar(look)}

posts:
  # One picture of each product in each format. You pay for each.
  catalog:
    matrix:
      product: "*"
      ratio: [${ratios.map((ratio) => JSON.stringify(ratio)).join(', ')}]
    concept: plain
    items:
      - post_type: image
        products: ["\${{ matrix.product }}"]
        aspect_ratio: "\${{ matrix.ratio }}"
        descriptions: [The product on its own]

outputs:
  name: "{post}/{product}-{ratio}"
`;
}

function productsText({ table, folders, products, leftOut }: FirstManifest): string {
  const list = folders.map((folder) => `  - ${scalar(folder)}\n`).join('');
  const isPattern = folders.length === 1 && folders[0]?.endsWith('*');
  const about = `# ${isPattern ? 'Every folder that this matches' : 'Each of these folders'} is a product, with the photos in it; the first by name leads. A product.yaml in a
# folder may give name and description.
`;
  const entries = products.map((product) => productText(product));
  const isByName = products.some(({ name }) => name !== undefined);
  return [
    ...(table === undefined ? [] : [`${ABOUT_TABLE}product_tables:\n  - ${scalar(table)}\n`]),
    ...(folders.length ? [`${about}product_folders:\n${list}`] : []),
    ...(entries.length
      ? [
          `${isByName ? '# Photos with one name and a number are one product; the first leads. A description helps.\n' : ''}products:\n${entries.join('')}`,
        ]
      : []),
    ...(leftOut.length ? [leftOutText(leftOut)] : []),
  ].join('\n');
}

/** An entry of `products`, indented by two spaces. */
export function productText({ key, name = key, images }: FirstManifest['products'][number]): string {
  const named = name === key ? '' : `    name: ${scalar(name)}\n`;
  return `  ${scalar(key)}:\n${named}    images:\n${images.map((image) => `      - ${scalar(image)}\n`).join('')}`;
}

function leftOutText(leftOut: FirstManifest['leftOut']): string {
  const lines = leftOut.map(({ path, why }) => `#   ${inertText(path)}: ${inertText(why)}\n`);
  return `# These photos are left out, because \`campaign validate\` would refuse them:\n${lines.join('')}`;
}

/** A text as YAML reads it back, with quotes where it needs them. */
export function scalar(text: string): string {
  const isPlain =
    /^[a-z][\w./-]*(?: [\w./-]+)*$/i.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

const ABOUT_TABLE = `# Each row is a product: key (or id, sku), name (title), description, images (image_link). Another column is a text of
# the product's own. What stands under products: below wins over the table.
`;
