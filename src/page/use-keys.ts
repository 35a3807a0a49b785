import { type RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Focus, commandOf } from './keys.ts';
import type { PageState } from './page-state.ts';
import type { Action } from './reduce.ts';

/** The keys of the whole page. `page`: what holds the present screen. */
export function useKeys(state: PageState, act: (action: Action) => void, page: RefObject<HTMLElement>): void {
  const now = useRef(state);
  now.current = state;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const at = new Date().toISOString();
      const isAltGraph = event.getModifierState('AltGraph');
      const { key, code, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
      const pressed = { key, code, shiftKey, ctrlKey, metaKey, altKey, isComposing, isAltGraph };
      const command = commandOf(pressed, focusOf(event.target), now.current, at);
      if (!command) return;
      event.preventDefault();
      if (command.type === 'hold-photo') showPhoto(event, act);
      else if (command.type === 'search') search(page, act);
      else act(command);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** For as long as the key is held; a window that loses the focus hears of no key any more. */
function showPhoto({ code, repeat }: KeyboardEvent, act: (action: Action) => void): void {
  if (repeat) return;
  act({ type: 'photo', isShown: true });
  const onEnd = (event: Event) => {
    if (event instanceof KeyboardEvent && event.code !== code) return;
    act({ type: 'photo', isShown: false });
    removeEventListener('keyup', onEnd);
    removeEventListener('blur', onEnd);
  };
  addEventListener('keyup', onEnd);
  addEventListener('blur', onEnd);
}

function search(page: RefObject<HTMLElement>, act: (action: Action) => void): void {
  // At once, because the next key is typed into it already.
  const begin = () => {
    const field = page.current?.querySelector<HTMLInputElement>('input[type=search]');
    field?.focus();
    field?.select();
    return field;
  };
  if (begin()) return;
  act({ type: 'go', to: { screen: 'sheet' } });
  setTimeout(begin);
}

const TEXT = 'input:not([type=range],[type=file],[type=checkbox],[type=button]), textarea, select';

function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof Element)) return 'page';
  if (target.closest(TEXT) || (target instanceof HTMLElement && target.isContentEditable)) return 'text';
  if (target.closest('input[type=range], video, [role=tab]')) return 'control';
  return target.closest('button, a[href], summary, input') ? 'button' : 'page';
}
