// oxlint-disable no-control-regex -- finding control characters is what this file is for

/** OSC, DCS, SOS, PM and APC strings up to their terminator: titles, clipboard writes, hyperlinks. */
const CONTROL_STRINGS = /(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^]*?(?:\u0007|\u001B\\|\u009C|$)/g;
/** CSI sequences (colours, cursor movement), then every other escape sequence. */
const ESCAPES = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]?|\u001B[ -/]*[0-~]?/g;
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Control, format (bidirectional overrides, zero-width) and unpaired surrogate characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** Text of unknown origin as one line of at most `maxLength` UTF-16 units that moves no cursor and reverses nothing. */
export function inertText(text: string, maxLength = 2_000): string {
  const clean = text
    .slice(0, maxLength * 16)
    .replace(CONTROL_STRINGS, '')
    .replace(ESCAPES, '')
    .replace(LINE_BREAKS, ' ')
    .replace(INVISIBLE, '')
    .trim();
  if (clean.length <= maxLength) return clean;
  return `${clean.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A word as a shell reads it. */
export function shellWord(word: string): string {
  return inertText(/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
}
