import { useMemo, useRef } from 'preact/hooks';
import { count } from '../util/count.ts';
import { countUnwritten } from './unwritten.ts';
import { decisionsText } from './decisions-file.ts';
import { Modal } from './modal.tsx';
import { openDecisions } from './open-decisions.ts';
import type { PageSource } from './page-source.ts';
import type { PageState } from './page-state.ts';
import type { Action } from './reduce.ts';

interface ExportProps {
  readonly state: PageState;
  readonly act: (action: Action) => void;
  readonly source: PageSource;
}

/** The file of decisions: its text to save or copy, and another one to merge. */
export function ExportDialog({ state, act, source }: ExportProps) {
  const { decisions, data, by } = state;
  const text = useMemo(() => decisionsText(decisions), [decisions]);
  const area = useRef<HTMLTextAreaElement>(null);
  const leave = () => act({ type: 'dialog', dialog: null });
  const { decisionsFile: file } = data;
  const done = (how: string) => {
    const message = `${how} Put it at ${file} and run campaign apply.`;
    // What a live page could not write yet, it goes on trying to.
    act(source.decisions.type === 'save' ? { type: 'say', message: how } : { type: 'exported', message });
  };
  const onCopy = async () => {
    if (area.current && (await copied(text, area.current))) done('The decisions are in the clipboard.');
    else
      act({ type: 'say', message: 'The browser does not let this page copy: select the text and copy it.' });
  };
  return (
    <Modal name="export" label="Decisions file" onLeave={leave}>
      <h2>Decisions file</h2>
      <p>{exportWords(state, source)}</p>
      <textarea ref={area} readOnly aria-label="Text of the decisions file" rows={10} value={text} />
      <Fields by={by} act={act} />
      <p class="said" role="status">
        {state.message}
      </p>
      <p class="buttons">
        <button type="button" onClick={leave}>
          Close <kbd>Esc</kbd>
        </button>
        <button type="button" onClick={() => void onCopy()}>
          Copy
        </button>
        <button
          type="button"
          class="accent"
          autoFocus
          onClick={() => {
            download(text, file.split('/').at(-1) ?? file);
            done('The file is saved.');
          }}
        >
          Download
        </button>
      </p>
    </Modal>
  );
}

function Fields({ by, act }: Pick<ExportProps, 'act'> & { readonly by: string }) {
  const onOpen = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    const [chosen] = input.files ?? [];
    if (chosen) void openDecisions(chosen, act);
    // So that the same file can be chosen again.
    input.value = '';
  };
  return (
    <>
      <label class="field">
        Your name, for new verdicts (optional)
        <input
          type="text"
          dir="auto"
          autoComplete="name"
          value={by}
          onInput={({ currentTarget }) => act({ type: 'named', by: currentTarget.value })}
        />
      </label>
      <label class="field">
        Open a decisions file and merge it
        <input type="file" accept=".yaml,.yml" onChange={onOpen} />
      </label>
    </>
  );
}

function exportWords({ decisions, data }: PageState, { decisions: port }: PageSource): string {
  const { size } = decisions.drafts;
  const drafts =
    size === 0
      ? ''
      : ` ${count(size, 'note')} without a verdict ${size === 1 ? 'is' : 'are'} not in it: decide on these posts first.`;
  if (port.type === 'save')
    return `Decisions are written to ${data.decisionsFile} as you make them.${drafts}`;
  const unwritten = countUnwritten(decisions) - size;
  const news = unwritten ? `, ${unwritten} of them changed on this page` : '';
  return `${count(decisions.all.size, 'decision')}${news}. Its place is ${data.decisionsFile}, from the folder of the manifest: the next campaign apply requests the rejected posts again.${drafts}`;
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A page that was opened from a disk may have no clipboard. */
async function copied(text: string, area: HTMLTextAreaElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    area.select();
    return document.execCommand('copy');
  }
}
