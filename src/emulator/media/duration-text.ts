import type { Behaviour } from '../behaviour.ts';

/** A time in whole seconds, in the asked form. */
export function durationText(seconds: number, form: Behaviour['estimatedDuration']): string | number {
  switch (form) {
    case 'words':
      return seconds === 1 ? '1 second' : `${seconds} seconds`;
    case 'number':
      return seconds;
    case 'text':
      return String(seconds);
    case 'iso-8601':
      return `PT${seconds}S`;
    case 'clock':
      return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
        .map((part) => String(Math.floor(part)).padStart(2, '0'))
        .join(':');
    case 'none':
      return '';
  }
}
