import { isIP } from 'node:net';
import { ordered, type Filters as SqlOfFilters, type FilterSql } from '@gatehouse/db';
import { invalidField } from '@gatehouse/http';
import { Email, emailKey, normalizeEmail, Text, Timestamp, Type } from '@gatehouse/schema';
import type { FaultCode, Static, TObject, TOptional, TSchema } from '@gatehouse/schema';
import { readMoment as parse } from '@gatehouse/events';
import { snake } from './record.ts';

/** A filter as a query parameter of a list and as a field of a bulk change's `Filter`. */
export interface Filter<S extends TSchema = TSchema, V = unknown, As extends string | undefined = undefined> {
  query: S;
  field: S;
  /** The name in the operation, if it has another one there. */
  as: As;
  /** The value for the operation. `at` is where the request has it. */
  read(given: Static<S>, at: Place): V;
  /** Its condition, unless it is that the column of its name has the value. */
  sql?: (value: never, name: string) => FilterSql;
}

interface Place {
  pointer: string;
  isBulk: boolean;
}

/** The filters of a list by the names of its query parameters. */
export type FilterSet = Readonly<Record<string, Filter<TSchema, unknown, string | undefined>>>;

export type FilterValues<F extends FilterSet> = {
  [N in keyof F & string as F[N]['as'] extends string ? F[N]['as'] : N]?:
    ReturnType<F[N]['read']> | undefined;
};

export interface Filters<F extends FilterSet> {
  /** The query parameters of the list: `Type.Object({ ...pagingQuery(), ...filters.query })`. */
  query: { [N in keyof F]: TOptional<F[N]['query']> };
  /** The schema of a bulk change's `Filter`. An empty one is refused, so that it never means all rows. */
  body: TObject<{ [N in keyof F & string as Capitalize<N>]: TOptional<F[N]['field']> }>;
  /** @throws {ApiError} 400 for values that the schema cannot describe. */
  ofQuery(query: Readonly<Record<string, unknown>>): FilterValues<F>;
  /** @throws {ApiError} 400 for values that the schema cannot describe. */
  ofBody(filter: Readonly<Record<string, unknown>>): FilterValues<F>;
  sql: SqlOfFilters<FilterValues<F>>;
}

/** Declares the filters of a list once: by the names of its query parameters, for bulk changes in PascalCase. */
export function defineFilters<F extends FilterSet>(
  filters: F,
  options: { title?: string; description?: string } = {},
): Filters<F> {
  const all = Object.entries(filters).map(([name, filter]) => ({
    ...filter,
    name,
    fieldName: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  }));
  const valuesOf = (given: Readonly<Record<string, unknown>>, isBulk: boolean) =>
    Object.fromEntries(
      all.flatMap(({ name, fieldName, as = name, read }) => {
        const value = given[isBulk ? fieldName : name];
        const pointer = isBulk ? `/Filter/${fieldName}` : `/query/${name}`;
        return value === undefined ? [] : [[as, read(value, { pointer, isBulk })]];
      }),
    );
  const fields = all.map(({ fieldName, field }) => [fieldName, Type.Optional(field)]);
  const result = {
    query: Object.fromEntries(all.map(({ name, query }) => [name, Type.Optional(query)])),
    body: Type.Object(Object.fromEntries(fields), { minProperties: 1, ...options }),
    ofQuery: (query: Readonly<Record<string, unknown>>) => valuesOf(query, false),
    ofBody: (filter: Readonly<Record<string, unknown>>) => valuesOf(filter, true),
    sql: Object.fromEntries(
      all.map(({ name, as = name, sql }) => [as, sql ?? ordered(`${snake(as)} = :${as}`)]),
    ),
  };
  // The names and types are those of the declaration, which TypeScript does not see in a loop over its entries.
  return result as unknown as Filters<F>;
}

/** A filter by a value as it is. `description` documents the query parameter. */
export function by<S extends TSchema>(schema: S, description?: string): Filter<S, Static<S>> {
  return {
    query: description === undefined ? schema : { ...schema, description },
    field: schema,
    as: undefined,
    read: (given) => given,
  };
}

export function where<W extends Filter<TSchema, unknown, string | undefined>>(
  filter: W,
  sql: (value: NonNullable<ReturnType<W['read']>>, name: string) => FilterSql,
): W {
  return { ...filter, sql };
}

export function named<const As extends string, S extends TSchema, V>(
  as: As,
  filter: Filter<S, V>,
): Filter<S, V, As> {
  return { ...filter, as };
}

/** A filter by a value that is read in another form. `read` returns `undefined` for a value that is not valid. */
export function reading<S extends TSchema, V>(
  filter: Filter<S, Static<S>>,
  fault: { message: string; code: FaultCode },
  read: (given: Static<S>) => V | undefined,
): Filter<S, V> {
  return {
    ...filter,
    read: (given, { pointer }) => {
      const value = read(given);
      if (value !== undefined) return value;
      throw invalidField(pointer, fault.message, fault.code);
    },
  };
}

export function moment() {
  return { ...by(Timestamp()), read: (given: string, { pointer }: Place) => readMoment(given, pointer) };
}

export function address() {
  return reading(
    by(Type.String({ maxLength: 64, description: 'An IPv4 or IPv6 address' })),
    { message: 'must be an IP address', code: 'malformed' },
    // Postgres does not support zones.
    (text) => (isIP(text) !== 0 && !text.includes('%') ? text : undefined),
  );
}

/** A filter by a complete email address in any spelling. */
export function email() {
  const keyOf = (given: string) => emailKey(normalizeEmail(given) ?? given);
  return { ...by(Email()), as: 'emailKey' as const, read: keyOf };
}

/** The minimum length in a bulk change, because a shorter text matches too much. */
const SEARCH_MIN = 3;

export function search(maxLength: number, description?: string) {
  return {
    ...by(Text(maxLength), description),
    field: Text(maxLength, { description: `At least ${SEARCH_MIN} characters` }),
    read: (given: string, { pointer, isBulk }: Place) => {
      if (!isBulk) return given;
      const text = given.trim();
      if (text.length >= SEARCH_MIN) return text;
      const fault = { message: `must have at least ${SEARCH_MIN} characters`, code: 'too_short' } as const;
      throw invalidField(pointer, fault.message, fault.code);
    },
  };
}

/** RFC 3339 also allows leap seconds, and years after 9999 in UTC, which answers cannot contain. */
export function readMoment(text: string | undefined, pointer: string): Date | undefined {
  const read = parse(text);
  if (read !== 'none') return read ?? undefined;
  throw invalidField(pointer, 'must be an RFC 3339 date and time', 'not_a_date_time');
}
