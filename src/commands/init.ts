import { type Answers, beginCampaign, type Beginning, writeCampaign } from '../app/init-campaign.ts';
import { askAnswers, wrongName, wrongRatio } from '../cli/init-questions.ts';
import type { SharedOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { quoted, targetWords } from '../cli/target.ts';
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
}

const LOOK = 'Soft daylight, a plain light background';
const RATIOS = ['4:5'];

/** Writes a first manifest. Asks on a terminal, unless a flag says something already. */
export async function init(session: Session<InitOptions>): CommandEnd {
  const { args, options, runtime } = session;
  const { out = DEFAULT_MANIFEST, name, look, ratio } = options;
  const wrong = wrongFlag(options);
  if (wrong) return wrong;
  const begun = await beginCampaign(runtime, {
    folder: args[0],
    out,
    commandFor: (file) => commandText('init', quoted(file), ...(options.out ? ['--out', quoted(out)] : [])),
  });
  if (!begun.ok) return begun.error;
  tellFound(begun.value, session);
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
  { output }: Session<InitOptions>,
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
