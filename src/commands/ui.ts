import { openLivePage } from '../cli/live-page.ts';
import type { SharedOptions } from '../cli/options.ts';
import { type CommandEnd, type Session, sourceFor } from '../cli/session.ts';
import { stopOnSignals } from '../cli/signals.ts';
import { targetOf } from '../cli/target.ts';
import { EXIT } from '../model/exit.ts';
import { problemText } from '../views/cause-words.ts';

interface UiOptions extends SharedOptions {
  readonly port: number;
  readonly open?: true;
}

/** Serves the page of a campaign until Ctrl-C. It only reads, but for the decisions that are made on the page. */
export async function ui(session: Session<UiOptions>): CommandEnd {
  const { options, output } = session;
  const { file } = targetOf(session.args);
  const source = await sourceFor(session, file);
  if (!source.ok) return source.error;
  const told = new Set<string>();
  const { runtime } = session.following((event) => {
    if (event.type !== 'warning') return;
    const text = problemText(event);
    if (!told.has(text)) output.progress(`  ! ${text}\n`);
    told.add(text);
  });
  const stop = stopOnSignals();
  try {
    const page = await openLivePage(runtime, source.value, options.port);
    if (!page.ok) return page.error;
    const { link, workFolder } = page.value;
    if (output.mode === 'json') output.json({ url: link });
    else output.result(output.isQuiet ? `${link}\n` : greeting(link));
    const opened = options.open && (await openedFor(session, file, { link, workFolder }));
    await page.value.follow(stop);
    await opened?.forget();
    return stop.exit ?? EXIT.ok;
  } finally {
    stop.release();
  }
}

async function openedFor(
  { output, runtime }: Session,
  file: string,
  { link, workFolder }: { readonly link: string; readonly workFolder: string },
) {
  const { openInBrowser } = await import('../cli/open-browser.ts');
  const { cleanVariables } = await import('../cli/notices/clean-variables.ts');
  const env = await cleanVariables(runtime.env, [file], { inputs: [], variables: new Map() });
  const opened = await openInBrowser(link, { workFolder, env });
  if (opened.problem !== undefined)
    output.progress(`  ! No browser was opened: ${opened.problem}. Open the link yourself.\n`);
  return opened;
}

function greeting(link: string): string {
  return `The page: ${link}

It follows the campaign until Ctrl-C. The link opens it in one browser, once.
`;
}
