import { useEffect } from 'preact/hooks';
import { readDecisionsText } from './decisions-file.ts';
import type { Action } from './reduce.ts';

/** A file of decisions has one short line for each post. */
const LARGEST = 32 << 20;

/** Merges a file that the person chose; says what is wrong with it otherwise. */
export async function openDecisions(file: File, act: (action: Action) => void): Promise<void> {
  if (file.size > LARGEST)
    return act({ type: 'say', message: `${file.name} is too large for a file of decisions.` });
  const read = readDecisionsText(await file.text());
  if (read.ok) act({ type: 'merge', file: read.value });
  else act({ type: 'say', message: `${file.name}: ${read.error}` });
}

/** A file that is dropped anywhere on the page is opened, and does not take the page's place. */
export function useDroppedFiles(act: (action: Action) => void): void {
  useEffect(() => {
    const onOver = (event: DragEvent) => event.preventDefault();
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file) void openDecisions(file, act);
    };
    addEventListener('dragover', onOver);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onOver);
      removeEventListener('drop', onDrop);
    };
  }, []);
}
