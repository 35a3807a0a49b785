/**
 * What a key means, by what the page shows. Y, J and K mean nothing here. Keys that people type into a field, keys of an input
 * method, and combinations of the browser are left alone.
 */
import type { PageState } from './page-state.ts';
import type { Action } from './reduce.ts';

export interface Key {
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** AltGr, which types a character and says Ctrl and Alt as well on some systems. */
  readonly isAltGraph: boolean;
  readonly isComposing: boolean;
}

/** What has the focus: a field that takes text, another control with keys of its own, a button, or nothing of that kind. */
export type Focus = 'text' | 'control' | 'button' | 'page';

export type Command = Action | { readonly type: 'search' } | { readonly type: 'hold-photo' };

type Showing = Pick<PageState, 'screen' | 'view' | 'dialog'>;

/** `at`: the time, for what is decided. */
export function commandOf(key: Key, focus: Focus, state: Showing, at: string): Command | undefined {
  if (key.isComposing || focus === 'text' || state.dialog) return undefined;
  const name = nameOf(key);
  if ((key.ctrlKey || key.metaKey) && !key.isAltGraph) return controlCommand(name, key, state);
  if (key.altKey && !key.isAltGraph) return undefined;
  if (name === '?') return { type: 'dialog', dialog: { kind: 'help' } };
  if (name === '/' && !state.view) return { type: 'search' };
  if (state.screen !== 'sheet') return undefined;
  if (focus === 'control' && (name.startsWith('Arrow') || OWN_KEYS.has(name))) return undefined;
  if (focus === 'button' && OWN_KEYS.has(name) && name !== 'Home' && name !== 'End') return undefined;
  return moveCommand(name, key, state) ?? letterCommand(name, key, state, at);
}

const OWN_KEYS = new Set(['Enter', ' ', 'Home', 'End']);

/** Letters of other alphabets by their place on the keyboard. */
function nameOf({ key, code }: Key): string {
  if (key.length > 1) return key;
  if (/^[\u0020-\u007e]$/.test(key)) return key.toLowerCase();
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
}

function controlCommand(name: string, key: Key, { screen, view }: Showing): Command | undefined {
  if (key.altKey || key.shiftKey) return undefined;
  if (name === 'z') return { type: 'undo' };
  return name === 'a' && screen === 'sheet' && !view ? { type: 'select-all' } : undefined;
}

const DIRECTIONS: Readonly<Record<string, 'left' | 'right' | 'up' | 'down' | 'first' | 'last'>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
};

function moveCommand(name: string, { shiftKey }: Key, { view }: Showing): Command | undefined {
  const direction = DIRECTIONS[name];
  if (!direction) return undefined;
  // The slides of a carousel.
  if (view?.kind === 'large' && direction === 'up') return { type: 'slide', by: -1 };
  if (view?.kind === 'large' && direction === 'down') return { type: 'slide', by: 1 };
  return { type: 'move', direction, extends: shiftKey && !view };
}

function letterCommand(name: string, { shiftKey }: Key, { view }: Showing, at: string): Command | undefined {
  switch (name) {
    case 'Enter':
    case ' ':
      return view ? { type: 'close' } : { type: 'open' };
    case 'Escape':
      return { type: 'close' };
    case 'p':
      return { type: 'approve', advances: shiftKey, at };
    case 'x':
      return { type: 'ask', about: 'rejection', advances: shiftKey };
    case 'u':
      return { type: 'clear' };
    case 'n':
      return { type: 'ask', about: 'note', advances: false };
    case 'c':
      return { type: 'compare' };
    case 'z':
      return view ? { type: 'toggle-zoom' } : undefined;
    case 'l':
      return view?.kind === 'compare' ? { type: 'pin' } : undefined;
    case 'b':
      return view?.kind === 'large' ? { type: 'slider' } : undefined;
    case '\\':
      return view?.kind === 'large' ? { type: 'hold-photo' } : undefined;
    default:
      return undefined;
  }
}
