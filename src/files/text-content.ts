/**
 * Examines files that hold text: web pages and messages come in the place of pictures, and one picture format (SVG) is
 * text.
 */

/** This many first bytes are enough. */
export const TEXT_HEAD_BYTES = 16_384;

/** No message in the place of a file is longer. */
const SHORT_BYTES = 4_096;

export type TextContent =
  | { readonly type: 'svg' }
  /** Some other text, too long for a message. */
  | { readonly type: 'text' }
  /** Never the file of a post. */
  | { readonly type: 'message'; readonly problem: string };

/** What a text is, by its first bytes; undefined where the file is no text. */
export function readTextContent(head: Buffer, size: number): TextContent | undefined {
  const text = decode(head);
  if (text === undefined) return undefined;
  const root = rootElement(text);
  if (root === 'svg') return { type: 'svg' };
  if (root !== undefined) {
    const what = HTML.test(root) ? 'an HTML page' : root === 'error' ? 'an XML error' : 'XML and no SVG';
    return { type: 'message', problem: `it is ${what}` };
  }
  if (/^(?:\{\s*["}]|\[\s*[[{"\d\]tfn-])/.test(text)) return { type: 'message', problem: 'it is JSON' };
  if (size > SHORT_BYTES) return { type: 'text' };
  return { type: 'message', problem: 'it is a short text, as messages are' };
}

const HTML = /^(?:html|head|body|title|meta|script|style|div|p|h1|center)$/;

/** Byte by byte: pages come in many encodings, and the characters that tell them apart are the same in all. */
function decode(head: Buffer): string | undefined {
  const isUtf16 = head[0] === 0xff && head[1] === 0xfe;
  const text = isUtf16
    ? head.toString('utf16le', 2)
    : head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
  // No text has these.
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)) return undefined;
  return text.trimStart();
}

/** The name of the first element, without its prefix; undefined where the text is no markup. */
function rootElement(text: string): string | undefined {
  const rest = text.replace(/^(?:\s+|<\?[^]*?\?>|<!--[^]*?-->|<!doctype[^>[]*(?:\[[^\]]*\][^>]*)?>)+/i, '');
  return /^<(?:[\w.-]+:)?([\w.-]+)/.exec(rest)?.[1]?.toLowerCase();
}
