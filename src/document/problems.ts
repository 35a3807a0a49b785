import type { Problem } from '../model/problem.ts';
import type { SourceRef } from '../model/source.ts';
import { createGuess } from '../util/did-you-mean.ts';

/** Every problem that reading a document can find: its code and its constant summary. */
const SUMMARIES = {
  'base-url-ignored': 'CAMPAIGN_BASE_URL is not used',
  'cannot-read': 'File cannot be read',
  'conflicting-spellings': 'Two keys contradict each other',
  'duplicate-combination': 'Combination exists already',
  'duplicate-item-key': 'Item key is used twice',
  'duplicate-key': 'Key is written twice',
  'duplicate-product': 'Two rows are one product',
  'duplicate-slug': 'Two names would be one',
  'empty-matrix': 'Matrix has no combination',
  'empty-value': 'Matrix value is empty',
  'html-in-text': 'HTML in a text',
  'incomplete-include': 'Included combination is incomplete',
  'foreign-placeholder': 'Placeholder of another tool',
  'insecure-base-url': 'Base URL is not encrypted',
  'invalid-base-url': 'Base URL is not usable',
  'invalid-expression': 'Expression is not understood',
  'invalid-image-url': 'Image URL is not usable',
  'invalid-move': 'Move is not possible',
  'invalid-key': 'Key is not allowed',
  'invalid-table': 'Table is not understood',
  'invalid-star': '"*" has no meaning here',
  'invalid-value': 'Value is not allowed',
  'matrix-too-large': 'Matrix is too large',
  'merge-conflict': 'Merge conflict is not resolved',
  'missing-column': 'Column is missing',
  'missing-images': 'Product has no image',
  'missing-key': 'Key is missing',
  'no-description': 'Post has no description',
  'missing-price': 'Price is missing',
  'no-environment': 'No environment is chosen',
  'no-images': 'Folder holds no image',
  'no-match': 'File or folder is not there',
  'no-proof': 'Status proves nothing',
  'not-a-file': 'Not an ordinary file',
  'not-supported-yet': 'Not supported yet',
  'not-utf8': 'File is not UTF-8 text',
  'output-as-input': 'Result named as a photo',
  'output-collision': 'Two posts share a file name',
  'odd-aspect-ratio': 'Aspect ratio in another form',
  'odd-name': 'File name is not UTF-8',
  'outside-folder': 'Path leaves the folder of the manifest',
  'passed-over': 'Photo is passed over',
  'reserved-name': 'Name is reserved',
  'spreadsheet-value': 'Value that a spreadsheet has changed',
  'secret-in-manifest': 'Secret in the manifest',
  'too-deep': 'Nesting is too deep',
  'too-large': 'File is too large',
  'too-many-aliases': 'Aliases multiply too often',
  'two-spellings': 'Two manifests of one name',
  'unknown-alias': 'Unknown alias',
  'unknown-concept': 'Unknown concept',
  'unknown-environment': 'Unknown environment',
  'unknown-id-environment': 'Unknown environment',
  'unknown-key': 'Unknown key',
  'unknown-matrix-key': 'Unknown matrix key',
  'unknown-matrix-value': 'Unknown matrix value',
  'unknown-placeholder': 'Unknown placeholder',
  'unknown-product': 'Unknown product',
  'unknown-timezone': 'Unknown time zone',
  'unknown-variable': 'Unknown variable',
  'unsupported-version': 'Unsupported format version',
  'unset-text': 'Text is not set',
  unused: 'Nothing uses it',
  'unnamed-photo': 'Photo that no product names',
  'unused-matrix-key': 'Matrix key is not used',
  'wrong-type': 'Wrong kind of value',
  'yaml-syntax': 'YAML syntax error',
} as const satisfies Record<string, string>;

export type ProblemCode = keyof typeof SUMMARIES;

/** A problem of a document before its place is known: places are computed only for problems that are shown. */
export interface DocumentProblem extends Problem {
  /** Which part of the node is meant; by default a scalar's value, and the key of a map or list. */
  readonly part?: 'key';
  /** A piece of the text at `source`, where the problem is about this piece only. */
  readonly fragment?: string;
  /** Offsets into the text of the file of `source`, where no reference can name the place. */
  readonly range?: readonly [start: number, end: number];
}

export type Mistake = Omit<DocumentProblem, 'code' | 'summary' | 'detail'> & Why;

export interface Why {
  readonly code: ProblemCode;
  readonly detail: string;
}

export type Problems = ReturnType<typeof createProblems>;

/** Collects the problems of one pass. A place is reported for one reason, unless a key is missing there. */
export function createProblems() {
  const found = new Map<string, DocumentProblem>();
  const explained = new Set<SourceRef>();
  const broken = new Set<SourceRef>();
  const explain = (source: SourceRef) => {
    explained.add(source);
    for (let at = source; at !== '' && !broken.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
      broken.add(at);
  };
  return {
    /** Shared by all checks of a pass, so that the work for suggestions is bounded. */
    didYouMean: createGuess(),
    add(mistake: Mistake) {
      const { code, source, fragment = '', range = [], detail } = mistake;
      const problem = { ...mistake, summary: SUMMARIES[code] };
      found.set([code, source ?? '', fragment, ...range, detail].join('\n'), problem);
      if (mistake.severity === 'warning') return;
      if (source !== undefined && !mistake.range && code !== 'missing-key') explain(source);
    },
    /** Declares that a problem which was found already explains a missing or odd value at this place. */
    explain,
    /** True where a problem is at exactly this place, or explains it. */
    isExplained: (source: SourceRef) => explained.has(source),
    /** True where a problem is here or anywhere below. */
    isBroken: (source: SourceRef) => broken.has(source),
    all: (): readonly DocumentProblem[] => [...found.values()],
  };
}
