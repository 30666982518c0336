import type { Binding } from '../postgres/connect.ts';
import { ID_SLACK_MS, lowestIdAt } from '../postgres/ids.ts';

/** The SQL of a filter with a value. Without `bindings`, the parameter with the filter's name is the value. */
export interface FilterSql {
  /** Conditions that an index can evaluate in the order of the ids. */
  ordered?: readonly string[];
  /** Conditions that are checked on each row that the others select. */
  sieve?: readonly string[];
  bindings?: Readonly<Record<string, Binding | undefined>>;
  isIndexed?: boolean;
}

/** The filters of a list by their names; rows must meet all that are given. */
export type Filters<F> = {
  readonly [N in keyof F]-?: (value: NonNullable<F[N]>, name: string) => FilterSql;
};

export interface Conditions {
  /** The conditions that an index can evaluate in the order of the ids. */
  ordered: readonly string[];
  /** The other conditions, checked on each row that `ordered` selects. */
  sieve: readonly string[];
  bindings: Readonly<Record<string, Binding | undefined>>;
  /** Whether an index can be used for the conditions of `sieve`. */
  isSearchIndexed: boolean;
}

/** `selective`: filters with an index each, best first. The first given one selects; others are checked on each row. */
export function conditionsOf<F extends object>(
  filters: Filters<F>,
  given: F,
  selective: readonly (keyof F & string)[] = [],
): Conditions {
  const values = new Map<string, unknown>(Object.entries(given));
  const checked = new Set<string>(selective.filter((name) => values.get(name) !== undefined).slice(1));
  const parts = Object.entries<(value: never, name: string) => FilterSql>(filters).flatMap(
    ([name, sqlOf]) => {
      const value = values.get(name);
      if (value === undefined) return [];
      // The types of values and filters belong together by name; a value that is no parameter has its own bindings.
      const sql = { bindings: { [name]: value as Binding }, ...sqlOf(value as never, name) };
      return [checked.has(name) ? { ...sql, ordered: [], sieve: allIn(sql) } : sql];
    },
  );
  return {
    ordered: parts.flatMap((part) => part.ordered ?? []),
    sieve: parts.flatMap((part) => part.sieve ?? []),
    bindings: Object.fromEntries(parts.flatMap(({ bindings }) => Object.entries(bindings))),
    isSearchIndexed: parts.some(({ isIndexed }) => isIndexed),
  };
}

export function ordered(...conditions: string[]): () => FilterSql {
  return () => ({ ordered: conditions });
}

export function sieve(...conditions: string[]): () => FilterSql {
  return () => ({ sieve: conditions });
}

export function either(yes: FilterSql, no: FilterSql): (value: boolean) => FilterSql {
  return (value) => (value ? yes : no);
}

export function contains(column: string, part?: string): (text: string) => FilterSql {
  return (text) => {
    const match = textMatch(column, text, part);
    return { sieve: [match.condition], bindings: { part: match.part }, isIndexed: match.isIndexed };
  };
}

/** At this time or later. The row was not created before `column`, so its id has about that time or a later one. */
export function since(column: string, id = 'id'): (moment: Date, name: string) => FilterSql {
  return (moment, name) => ({
    ordered: [`${id} >= cast(:${name}Id as uuid)`],
    sieve: [`${column} >= :${name}`],
    bindings: { [name]: moment, [`${name}Id`]: lowestIdAt(moment.getTime() - ID_SLACK_MS) },
  });
}

/** The same conditions, all of which every index of the list can evaluate. */
export function inIndex<V>(
  sqlOf: (value: V, name: string) => FilterSql,
): (value: V, name: string) => FilterSql {
  return (value, name) => {
    const sql = sqlOf(value, name);
    return { ...sql, ordered: allIn(sql), sieve: [] };
  };
}

function allIn(sql: FilterSql): string[] {
  return [...(sql.ordered ?? []), ...(sql.sieve ?? [])];
}

/** Before this time. The row was created before `column`, so its id has about that time or an earlier one. */
export function until(column: string, id = 'id'): (moment: Date, name: string) => FilterSql {
  return (moment, name) => ({
    ordered: [`${id} < cast(:${name}Id as uuid)`],
    sieve: [`${column} < :${name}`],
    bindings: { [name]: moment, [`${name}Id`]: lowestIdAt(moment.getTime() + ID_SLACK_MS) },
  });
}

/** Letters without case, accents and invisible marks, in exactly the expression of the indexes (migration 0008). */
export function searchKey(text: string): string {
  const plain = `lower(regexp_replace(normalize(${text}, nfkd), '${MARKS}', '', 'g'))`;
  return `replace(replace(replace(translate(${plain}, 'øłđħŧıς', 'oldhtiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')`;
}

const MARKS = String.raw`[\u00ad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]`;

export interface TextMatch {
  condition: string;
  part: string;
  /** Whether the column's trigram index can be used. */
  isIndexed: boolean;
}

/**
 * The condition that a column, in the expression of its index, contains a text (`part`, as SQL). The index is of
 * trigrams: one or two letters or digits are searched only at the beginning of words, as almost every row has them
 * within.
 */
export function textMatch(column: string, searched: string, part = searchKey(':part')): TextMatch {
  // Before the signs of LIKE are escaped: a wide % would become one of them.
  const text = searched.normalize('NFKC');
  const isShort = Array.from(text).length < 3 && /[\p{L}\p{N}]/u.test(text);
  return {
    condition: isShort
      ? `(${column} like ${part} || '%' or ${column} like '% ' || ${part} || '%')`
      : `${column} like '%' || ${part} || '%'`,
    part: text.replaceAll(/[\\%_]/g, String.raw`\$&`),
    isIndexed: isShort || /[\p{L}\p{N}]{3}/u.test(text),
  };
}
