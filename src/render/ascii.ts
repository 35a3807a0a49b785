/** The signs of this program that are not ASCII, and what stands for them where nothing else can be shown. */
const SIGNS: Readonly<Record<string, string>> = {
  '█': '#',
  '░': '.',
  '·': '-',
  '–': '-',
  '—': '-',
  '✗': 'x',
  '✓': '+',
  '→': '->',
  '×': 'x',
  '↻': '~',
  '‖': '=',
  '○': 'o',
};

// oxlint-disable-next-line no-control-regex -- a sign may have a colour
const ELLIPSIS = /( *)((?:\u001B\[[\d;]*m)*)( *)…/g;
/** The signs of a plan have three cells behind an indent of two (`  -/+`). */
const BEFORE_SIGN = 4;

/** For readers without Unicode. Names that others gave stay as they are, but for these signs. */
export function inAscii(text: string): string {
  return text
    .replace(ELLIPSIS, (_, outer: string, colour: string, inner: string, at: number) => {
      const blanks = outer.length + inner.length;
      // A word that was cut stays as long, because columns have to.
      if (blanks === 0 && at > 0 && !/[\s/=("]/.test(text.charAt(at - 1))) return `${colour}~`;
      if (blanks !== BEFORE_SIGN) return `${outer}${colour}${inner}...`;
      return inner.length >= 2
        ? `${outer}${colour}${inner.slice(2)}...`
        : `${outer.slice(2)}${colour}${inner}...`;
    })
    .replace(/[█░·–—✗✓→×↻‖○]/g, (sign) => SIGNS[sign] ?? sign);
}
