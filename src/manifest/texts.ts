/** What products and concepts say of themselves to posts, by the names that expressions have for it. */
import type { SourceRef } from '../model/source.ts';
import type { TableProduct } from './product-tables.ts';

/** `cell`: where a table has the text; `emptyAt`: the cell of a table that has nothing. */
export type FoundText =
  | { readonly text: string; readonly cell?: SourceRef | undefined }
  | { readonly emptyAt: SourceRef };

export interface Texts {
  /** By `name`, `description` or `vars.x`. */
  readonly find: (name: string) => FoundText | undefined;
  /** The names of its own texts, without `vars.`. */
  readonly vars: () => Iterable<string>;
}

/** By the keys of products and of concepts. */
export interface AllTexts {
  readonly product: ReadonlyMap<string, Texts>;
  readonly concept: ReadonlyMap<string, Texts>;
}

type Vars = Readonly<Record<string, string | number | boolean>> | undefined;

interface Said {
  readonly name: string;
  readonly description?: string | undefined;
  /** Of the places that say something of it; the first that has a text counts. */
  readonly vars: readonly [written: Vars, below?: Vars];
  /** Between the two. */
  readonly row?: TableProduct | undefined;
}

export function textsOf({ name, description, vars: [written = {}, below = {}], row }: Said): Texts {
  const known: Readonly<Record<string, string | undefined>> = { name, description };
  const own = (vars: NonNullable<Vars>, at: string) =>
    Object.hasOwn(vars, at) ? String(vars[at]) : undefined;
  const find = (field: string): string | undefined => {
    if (!field.startsWith('vars.')) return Object.hasOwn(known, field) ? known[field] : undefined;
    const at = field.slice('vars.'.length);
    return own(written, at) ?? (row?.vars.get(at) || own(below, at));
  };
  return {
    find(field) {
      const text = find(field);
      const at = field.replace(/^vars\./, '');
      const cell = row?.sourceOf(at);
      if (text !== undefined) return { text, cell: row?.vars.get(at) === text ? cell : undefined };
      return cell === undefined ? undefined : { emptyAt: cell };
    },
    *vars() {
      yield* Object.keys(written);
      yield* row?.vars.keys() ?? [];
      yield* Object.keys(below);
    },
  };
}
