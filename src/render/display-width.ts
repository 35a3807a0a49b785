/** East Asian characters and emoji, which terminals draw two cells wide; not the halfwidth forms. */
const WIDE =
  /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6\p{Emoji_Presentation}]/u;
const HALFWIDTH = /[\uFF61-\uFFDC]/;
/** Accents and other marks that are drawn onto the preceding character. */
const MARK = /\p{M}/u;

/** Cells that a text takes on a terminal; it holds no control characters. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (MARK.test(character)) continue;
    width += WIDE.test(character) && !HALFWIDTH.test(character) ? 2 : 1;
  }
  return width;
}
