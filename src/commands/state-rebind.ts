import { EXIT, type ExitCode } from '../model/exit.ts';
import { type ChangeOptions, changeState } from '../app/change-state.ts';
import type { Confirmation } from '../cli/confirm.ts';
import { identityOf } from '../app/read-state.ts';
import { recordRun } from '../app/record-run.ts';

/** `campaign state rebind`: this file is the state of this campaign here, from now on. */
export function stateRebind(file: string, options: ChangeOptions): Promise<ExitCode> {
  const change = { file, command: 'state rebind', allow: ['foreign', 'diverged'] as const };
  return changeState(change, options, async ({ campaign: { manifest, store }, open, output, at, agreed }) => {
    const { name: stateFile } = store;
    const { campaign, environment, baseUrl } = identityOf(manifest);
    const { header, known } = open;
    const isBound =
      header.campaign === campaign && header.environment === environment && header.baseUrl === baseUrl;
    const place = `${campaign}, ${environment}, ${baseUrl}`;
    if (open.version === '') {
      if (output.mode === 'json') output.json({ state: stateFile, rebound: false });
      else output.result(`Nothing to rebind: there is no state at ${stateFile}.\n`);
      return EXIT.ok;
    }
    if (isBound && !open.diverged) {
      if (output.mode === 'json') output.json({ state: stateFile, rebound: false });
      else output.result(`Nothing to rebind: ${stateFile} is the state of ${place}.\n`);
      return EXIT.ok;
    }
    // A state that knows nothing says nothing wrong wherever it is.
    if (known > 0 && !agreed(questionOf(), open.version)) return EXIT.refused;
    await recordRun(open.recorder, [{ type: 'rebound', at, campaign, environment, base_url: baseUrl }], at);
    if (output.mode === 'json') output.json({ state: stateFile, rebound: true, known });
    else output.result(`${output.style.green('✓')} ${stateFile} is now the state of ${place}.\n`);
    return EXIT.ok;

    function questionOf(): Confirmation {
      const before = isBound
        ? ''
        : ` It was the state of ${header.campaign}, ${header.environment}, ${header.baseUrl}.`;
      const other = open.diverged
        ? ` ${open.diverged.summary}: what only the other copy has is not known here.`
        : '';
      const what =
        `${stateFile} knows ${known} nodes, and they are taken for what exists at ${place}.${before}${other} What does ` +
        'not exist there fails, and what exists there but is not known here is paid for again.';
      return { what, question: 'Rebind it?' };
    }
  });
}
