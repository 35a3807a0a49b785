import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface ModalProps {
  readonly label: string;
  readonly name: string;
  /** Esc, or the gesture that goes back on a phone. */
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}

/** Above everything else, which cannot be reached meanwhile; the focus goes back to where it was. */
export function Modal({ label, name, onLeave, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    // Otherwise the first button has the focus, and Enter would press it.
    if (!element?.querySelector('[autofocus]')) element?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const onCancel = (event: Event) => {
    event.preventDefault();
    onLeave();
  };
  return (
    <dialog ref={dialog} class={name} aria-label={label} onCancel={onCancel} tabIndex={-1}>
      {children}
    </dialog>
  );
}
