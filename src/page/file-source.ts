import type { ReportData } from '../views/report-data.ts';
import type { PageSource } from './page-source.ts';

/** As `report/thumbnail-blocks.ts` writes them. */
const PER_BLOCK = 100;
/** Ends a block: one without it is still being read. No character of base64. */
const END = '.';

/** The pictures that the report itself holds, and those that lie beside it. */
export function createFileSource({ pictures }: ReportData, document: Document): PageSource {
  const thumbnails = createBlocks(document, 'block');
  const previews = createBlocks(document, 'preview');
  return {
    async thumbnail(index) {
      const picture = pictures[index];
      if (!picture) return null;
      if (picture.thumbnail !== null) return urlOf(picture.thumbnail);
      return webp(await thumbnails(index));
    },
    async full(index) {
      const beside = pictures[index]?.path;
      const preview = webp(await previews(index));
      return [...(beside == null ? [] : [urlOf(beside)]), ...(preview === null ? [] : [preview])];
    },
    decisions: { type: 'export' },
  };
}

/** Looks up a picture in the blocks of one kind, each of which is taken apart once. */
function createBlocks(document: Document, kind: 'block' | 'preview') {
  const parts = new Map<number, readonly string[]>();
  return async (index: number): Promise<string> => {
    const block = Math.floor(index / PER_BLOCK);
    let found = parts.get(block);
    if (!found) {
      found = (await blockText(document, `script[data-${kind}="${block}"]`)).split(',');
      parts.set(block, found);
    }
    return found[index % PER_BLOCK] ?? '';
  };
}

/** Waits while the document is read: the blocks come last. */
function blockText(document: Document, selector: string): Promise<string> {
  const look = () => {
    const element = document.querySelector(selector);
    const text = element?.textContent ?? '';
    return text.endsWith(END) ? text.slice(0, -END.length) : undefined;
  };
  const found = look();
  if (found !== undefined || document.readyState !== 'loading') return Promise.resolve(found ?? '');
  return new Promise((resolve) => {
    const done = (text: string) => {
      observer.disconnect();
      document.removeEventListener('DOMContentLoaded', last);
      resolve(text);
    };
    const last = () => done(look() ?? '');
    const observer = new MutationObserver(() => {
      const text = look();
      if (text !== undefined) done(text);
    });
    observer.observe(document.body, { childList: true });
    document.addEventListener('DOMContentLoaded', last);
  });
}

function webp(base64: string): string | null {
  return base64 ? `data:image/webp;base64,${base64}` : null;
}

/** Of a file by its path: the names in it may hold `#`, `?` and `%`. */
function urlOf(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  // A first part with a colon would be taken for a scheme.
  return encoded.startsWith('../') ? encoded : `./${encoded}`;
}
