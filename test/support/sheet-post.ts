import type { SheetPost } from '../../src/views/report-data.ts';

let number = 0;
/** A post as the page has it. */
export function sheetPost(post: Partial<SheetPost> = {}): SheetPost {
  return {
    address: `media/hero/${++number}`,
    plan: 'hero',
    product: 'tote',
    concept: 'morning',
    ratio: '4:5',
    type: 'image',
    status: 'done',
    outOfDate: false,
    wanted: true,
    caption: '',
    cost: null,
    cause: null,
    at: null,
    takes: [],
    ...post,
  };
}
