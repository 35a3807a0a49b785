import { useRef, useState } from 'preact/hooks';

/** A command to be pasted into a terminal. */
export function Command({ text }: { readonly text: string }) {
  const code = useRef<HTMLElement>(null);
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      // The browser allows it not everywhere; selected text can be copied by hand.
      if (code.current) getSelection()?.selectAllChildren(code.current);
      setSaid('Press Ctrl+C');
    }
  };
  return (
    <span class="command">
      <code ref={code}>{text}</code>
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${text}`}>
        {said || 'Copy'}
      </button>
      <span class="unseen" role="status">
        {said}
      </span>
    </span>
  );
}
