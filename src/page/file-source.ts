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
    thumbnail(index) {
      const picture = pictures[index];
      if (!picture) return null;
      return picture.thumbnail === null ? thumbnails(index) : urlOf(picture.thumbnail);
    },
    async full(index) {
      const beside = pictures[index]?.path;
      const preview = await previews(index);
      return [...(beside == null ? [] : [urlOf(beside)]), ...(preview === null ? [] : [preview])];
    },
    decisions: { type: 'export' },
  };
}

type Block = readonly string[];

/** Looks up a picture in the blocks of one kind, each of which is taken apart once. */
function createBlocks(document: Document, kind: 'block' | 'preview') {
  const known = new Map<number, Block | Promise<Block>>();
  const look = (number: number): Block | Promise<Block> => {
    const selector = `script[data-${kind}="${number}"]`;
    const text = blockText(document, selector);
    if (text !== undefined) return text.split(',');
    return laterText(document, selector).then((read) => {
      const block = read.split(',');
      known.set(number, block);
      return block;
    });
  };
  return (index: number): string | null | Promise<string | null> => {
    const number = Math.floor(index / PER_BLOCK);
    const found = known.get(number) ?? look(number);
    known.set(number, found);
    const addressIn = (block: Block) => webp(block[index % PER_BLOCK]);
    return found instanceof Promise ? found.then(addressIn) : addressIn(found);
  };
}

/** Undefined while the document is read: the blocks come last. */
function blockText(document: Document, selector: string): string | undefined {
  const text = document.querySelector(selector)?.textContent ?? '';
  if (text.endsWith(END)) return text.slice(0, -END.length);
  return document.readyState === 'loading' ? undefined : '';
}

function laterText(document: Document, selector: string): Promise<string> {
  return new Promise((resolve) => {
    const look = () => {
      const text = blockText(document, selector);
      if (text === undefined) return;
      observer.disconnect();
      document.removeEventListener('readystatechange', look);
      resolve(text);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true });
    document.addEventListener('readystatechange', look);
  });
}

function webp(base64: string | undefined): string | null {
  return base64 ? `data:image/webp;base64,${base64}` : null;
}

/** Of a file by its path: the names in it may hold `#`, `?` and `%`. */
function urlOf(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  // A first part with a colon would be taken for a scheme.
  return encoded.startsWith('../') ? encoded : `./${encoded}`;
}
