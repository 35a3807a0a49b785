import { type Answers, beginCampaign, type Beginning, writeCampaign } from '../app/init-campaign.ts';
import { addPhotos } from '../app/add-photos.ts';
import { askAnswers, wrongName, wrongRatio } from '../cli/init-questions.ts';
import type { SharedOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { targetWords } from '../cli/target.ts';
import { shellWord } from '../util/inert-text.ts';
import { ownTerminal } from '../cli/terminal.ts';
import { commandText } from '../model/command-text.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import { DEFAULT_MANIFEST } from '../app/find-manifests.ts';

interface InitOptions extends SharedOptions {
  readonly out?: string;
  readonly name?: string;
  readonly look?: string;
  readonly ratio?: readonly string[];
  readonly yes?: true;
  readonly add?: true;
}

const LOOK = 'Soft daylight, a plain light background';
const RATIOS = ['4:5'];

/** Writes a first manifest, or adds products to one. Asks on a terminal, unless a flag says something already. */
export async function init(session: Session<InitOptions>): CommandEnd {
  const { args, options, runtime } = session;
  const { out = DEFAULT_MANIFEST, name, look, ratio } = options;
  const wrong = wrongFlag(options);
  if (wrong) return wrong;
  if (options.add) return add(session, out);
  const begun = await beginCampaign(runtime, {
    folder: args[0],
    out,
    commandFor: (file) =>
      commandText('init', shellWord(file), ...(options.out ? ['--out', shellWord(out)] : [])),
  });
  if (!begun.ok) return begun.error;
  tellFound(begun.value, session.output);
  const standard: Answers = {
    target: targetWords(out, {}),
    name: name ?? begun.value.name,
    look: look ?? LOOK,
    ratios: ratio ?? RATIOS,
  };
  const isAsking = [options.out, name, look, ratio, options.yes, options.json, options.quiet].every(
    (given) => given === undefined,
  );
  const terminal = isAsking ? ownTerminal(runtime.clock) : undefined;
  const answers = terminal ? await askAnswers(standard, terminal) : standard;
  if ('exit' in answers) return answers;
  return write(begun.value, answers, session);
}

function wrongFlag({ name, ratio = [] }: InitOptions): Refusal | undefined {
  const wrong = (name === undefined ? undefined : wrongName(name)) ?? ratio.map(wrongRatio).find(Boolean);
  return wrong === undefined
    ? undefined
    : refusal(EXIT.usage, { code: 'invalid-value', summary: 'Value is not allowed', detail: wrong });
}

const MOST_PASSED_OVER = 10;

function tellFound(
  { passedOver, leftOut }: Pick<Beginning, 'passedOver' | 'leftOut'>,
  output: Session['output'],
): void {
  if (output.mode === 'json') return;
  const lines = [
    ...leftOut.map(({ path, why }) => `${inertText(path)} is left out: ${inertText(why)}`),
    ...passedOver.map(({ path, why }) => `${inertText(path)} is passed over: ${inertText(why)}`),
  ];
  for (const line of lines.slice(0, MOST_PASSED_OVER)) output.progress(`  ! ${line}\n`);
  const more = lines.length - MOST_PASSED_OVER;
  if (more > 0) output.progress(`  ! … and ${more} more\n`);
}

async function write(
  begun: Beginning,
  answers: Answers,
  { output, runtime }: Session<InitOptions>,
): CommandEnd {
  const written = await writeCampaign(runtime.disk, begun, answers);
  if (!written.ok) return written.error;
  const { files, posts } = written.value;
  const [manifest = begun.out, ...beside] = files;
  const { passedOver, leftOut, table, isOfTable } = begun;
  const { products, photos } = begun.counts;
  const source = isOfTable ? `of ${inertText(table ?? '')}` : `with ${count(photos, 'photo')}`;
  const sum = `${count(products, 'product')} ${source}, ${count(posts, 'post')} when it is applied`;
  const target = targetWords(manifest, { env: 'emulator' });
  const lines = [
    `${output.style.green('✓')} ${inertText(manifest)} is written: ${sum}.\n`,
    ...(beside.length ? [`  Beside it: ${beside.map((file) => inertText(file)).join(', ')}\n`] : []),
    output.style.dim(
      `  Next: \`${commandText('apply', target)}\` makes them with the emulator, free of charge.\n`,
    ),
  ];
  const json = {
    manifest,
    table: table ?? null,
    name: answers.name,
    products,
    photos,
    posts,
    written: files,
    left_out: leftOut,
    passed_over: passedOver,
  };
  if (output.mode === 'json' || !output.isQuiet) output.answer(json, lines.join(''));
  return EXIT.ok;
}

/** Shows what is added to the manifest, and asks nothing: it is in git. */
async function add({ args, output, runtime }: Session<InitOptions>, file: string): CommandEnd {
  const added = await addPhotos(runtime, { file, folder: args[0] });
  if (!added.ok) return added.error;
  const { folders, products, photos, kin, leftOut, passedOver } = added.value;
  const ofOthers = kin.map(({ product, image }) => ({
    path: image,
    why: `it looks like a photo of "${product}"; add it to the images of that yourself`,
  }));
  const told = { leftOut, passedOver: [...ofOthers, ...passedOver] };
  tellFound(told, output);
  const lines = [
    ...folders.map((folder) => `  + product_folders: ${inertText(folder)}\n`),
    ...products.map(({ key, images }) => `  + products: ${key}: ${inertText(images.join(', '))}\n`),
  ];
  const number = folders.length + products.length;
  const sum = number
    ? `${inertText(file)} has ${count(number, 'more product')} with ${count(photos, 'photo')}. All else is as it was.`
    : `${inertText(file)} is as it was: there is no photo to add.`;
  const next = commandText('plan', targetWords(file, {}));
  const json = {
    manifest: file,
    product_folders: folders,
    products: Object.fromEntries(products.map(({ key, images }) => [key, images])),
    photos,
    left_out: leftOut,
    passed_over: told.passedOver,
  };
  const advice = number ? output.style.dim(`  Next: \`${next}\` shows which posts that makes.\n`) : '';
  const text = `${lines.join('')}${output.style.green('✓')} ${sum}\n${advice}`;
  if (output.mode === 'json' || !output.isQuiet) output.answer(json, text);
  return EXIT.ok;
}
