import { conditionsOf, defineList, query } from '@gatehouse/db';
import type { Binding, Executor, Filters, List, Listing, Transaction } from '@gatehouse/db';
import { Nullable, Timestamp, Type, type Static, type TObject, type TSchema } from '@gatehouse/schema';

/** A field of a record whose value in a row, or whose SQL, is not that of its schema and its name. */
export class Field<S extends TSchema, V> {
  readonly schema: S;
  readonly expression: string | undefined;
  /** Only for types. */
  declare readonly value: V;

  constructor(schema: S, expression?: string) {
    this.schema = schema;
    this.expression = expression;
  }
}

/** A field that another expression than the column of its name gives. */
export function computed<S extends TSchema>(schema: S, expression: string) {
  return new Field<S, Static<S>>(schema, expression);
}

export function time(options: { description?: string } = {}, expression?: string) {
  return new Field<ReturnType<typeof Timestamp>, Date>({ ...Timestamp(), ...options }, expression);
}

export function timeOrNull(options: { description?: string } = {}, expression?: string) {
  return new Field<ReturnType<typeof nullableTime>, Date | null>(nullableTime(options), expression);
}

function nullableTime(options: { description?: string }) {
  return Nullable(Timestamp(), options);
}

export type Fields = Readonly<Record<string, TSchema | Field<TSchema, unknown>>>;
type SchemaOf<D> = D extends Field<infer S, unknown> ? S : D;
type ValueOf<D> = D extends Field<TSchema, infer V> ? V : D extends TSchema ? Static<D> : never;

export type RowOf<F extends Fields> = { [N in keyof F]: ValueOf<F[N]> };
export type PropertiesOf<F extends Fields> = { [N in keyof F & string as Capitalize<N>]: SchemaOf<F[N]> };
export type AnswerOf<F extends Fields> = Static<TObject<PropertiesOf<F>>>;

export interface Sql {
  text: string;
  bindings: readonly Binding[];
}

/** An expression of SQL with values: sql`now() + make_interval(secs => ${seconds})`. */
export function sql(parts: TemplateStringsArray, ...bindings: Binding[]): Sql {
  return { text: parts.join('?'), bindings };
}

/** What a statement writes: columns of the record and hidden ones; what is `undefined` is left as it is. */
export type Values<F extends Fields, H extends string> = {
  readonly [N in (keyof F & string) | H]?: (N extends keyof F ? ValueOf<F[N]> : Binding) | Sql | undefined;
};

type Bindings = Readonly<Record<string, Binding | undefined>> | readonly Binding[];
interface Matching<G> {
  filter: G;
  /** A condition of all of them. */
  always: string;
  max: number;
  locks: boolean;
}

interface Reads<R> {
  /** Rows with the rest of a SELECT of one's own: `rows(tx, 'where parent_id = ? order by id', [id])`. */
  rows(executor: Executor, rest: string, bindings: Bindings): Promise<R[]>;
  find(executor: Executor, id: string): Promise<R | undefined>;
  lock(tx: Transaction, id: string): Promise<R | undefined>;
  list<G extends object>(filters: Filters<G>, listing?: Listing<G>): List<G, R>;
  /** Up to `max` matching rows, newest first; with `locks` they are locked until the transaction ends. */
  matching<G extends object>(executor: Executor, filters: Filters<G>, wanted: Matching<G>): Promise<R[]>;
}

/** The rows of a table, as one kind of reader sees them. */
export interface Table<
  F extends Fields = Fields,
  H extends string = string,
  N extends string = string,
> extends Reads<RowOf<F>> {
  /** The name of the record in operation ids and audit entries. */
  name: N;
  /** What people call a row, and several. */
  noun: string;
  nouns: string;
  table: string;
  /** The list of a SELECT, or of what a statement returns. */
  columns: string;
  properties: PropertiesOf<F>;
  Answer: TObject<PropertiesOf<F>>;
  answer(this: void, row: RowOf<F>): AnswerOf<F>;
  insert(tx: Transaction, values: Values<F, H>): Promise<RowOf<F>>;
  /** Changes what is given, in a row that there is. */
  update(tx: Transaction, id: string, values: Values<F, H>): Promise<RowOf<F>>;
  remove(tx: Transaction, id: string): Promise<void>;
  /** The number of rows. Until the transaction ends, nobody else can create one after this. */
  countForCreation(tx: Transaction): Promise<number>;
}

/** A table's record: row, answer, statements. Names are camelCase here, snake_case in SQL, PascalCase in JSON. */
export function record<const F extends Fields, const N extends string, const H extends string = never>(
  table: string,
  fields: F,
  options: {
    name: N;
    noun?: string;
    nouns?: string;
    /** The title of the answer's schema, if it is not the name; null if it has none. */
    title?: string | null;
    /** What is selected from, if it is more than the table, whose rows have this alias. */
    from?: { tables: string; alias: string };
    /** Columns that are written and never shown. */
    hidden?: readonly H[];
  },
): Table<F, H, N> {
  const { name, noun = wordsOf(name), nouns = `${noun}s`, title = name, from } = options;
  // The entries have these names, which TypeScript does not see.
  const schemas = Object.entries(fields).map(([field, declared]) => [
    pascal(field),
    declared instanceof Field ? declared.schema : declared,
  ]);
  const properties = Object.fromEntries(schemas) as PropertiesOf<F>;
  const prefix = from === undefined ? '' : `${from.alias}.`;
  const columns = Object.entries(fields)
    .map(([field, declared]) => {
      const expression = declared instanceof Field ? declared.expression : undefined;
      return `${expression ?? prefix + snake(field)} as "${field}"`;
    })
    .join(', ');
  return {
    ...{ name, noun, nouns, table, columns, properties },
    Answer: Type.Object(properties, title === null ? {} : { title }),
    answer: (row) =>
      Object.fromEntries(
        Object.keys(fields).map((field) => [pascal(field), onWire(row[field])]),
      ) as AnswerOf<F>,
    ...readsOf<RowOf<F>>({
      table,
      prefix,
      select: `select ${columns} from ${from?.tables ?? table}`,
      alias: from?.alias,
    }),
    ...writesOf<RowOf<F>>(table, columns),
  };
}

function readsOf<R>(
  of: Record<'table' | 'prefix' | 'select', string> & { alias: string | undefined },
): Reads<R> {
  const { table, prefix, select, alias } = of;
  const forUpdate = alias === undefined ? 'for update' : `for update of ${alias}`;
  return {
    rows: (executor, rest, bindings) => query<R>(executor, `${select} ${rest}`, bindings),
    find: (executor, id) => query.row<R>(executor, `${select} where ${prefix}id = ?`, [id]),
    lock: (tx, id) => query.row<R>(tx, `${select} where ${prefix}id = ? ${forUpdate}`, [id]),
    list: (filters, listing) => defineList({ table, alias, select, filters, ...listing }),
    matching: (executor, filters, { filter, always, max, locks }) => {
      const { ordered, sieve, bindings } = conditionsOf(filters, filter);
      const where = [always, ...ordered, ...sieve].join(' and ');
      const text = `${select} where ${where} order by ${prefix}id desc limit :max ${locks ? forUpdate : ''}`;
      return query<R>(executor, text, { ...bindings, max });
    },
  };
}

function writesOf<R>(table: string, columns: string) {
  const written = (tx: Transaction, text: string, bindings: readonly Binding[]) =>
    query.only<R>(tx, `${text} returning ${columns}`, bindings);
  return {
    insert: (tx: Transaction, values: object) => {
      const { names, places, bindings } = partsOf(values);
      const statement = `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`;
      return written(tx, statement, bindings);
    },
    update: (tx: Transaction, id: string, values: object) => {
      const { names, places, bindings } = partsOf(values);
      const sets = names.map((name, at) => `${name} = ${places[at]}`).join(', ');
      return written(tx, `update ${table} set ${sets} where id = ?`, [...bindings, id]);
    },
    remove: async (tx: Transaction, id: string) => {
      await query(tx, `delete from ${table} where id = ?`, [id]);
    },
    countForCreation: async (tx: Transaction) => {
      await query(tx, 'select pg_advisory_xact_lock(hashtext(?))', [table]);
      return await query.onlyValue<number>(tx, `select count(*)::int as count from ${table}`);
    },
  };
}

function partsOf(values: object) {
  const given = Object.entries<unknown>({ ...values }).filter(([, value]) => value !== undefined);
  return {
    names: given.map(([name]) => snake(name)),
    places: given.map(([, value]) => (isSql(value) ? value.text : '?')),
    // What is not SQL is a value of a column, as the types of `Values` say.
    bindings: given.flatMap(([, value]) => (isSql(value) ? [...value.bindings] : [value as Binding])),
  };
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && 'text' in value && 'bindings' in value;
}

function onWire(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

export function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** What a body gives, by the names here. */
export function fieldsIn<B extends object>(body: B): { [N in keyof B as Uncapitalize<N & string>]: B[N] } {
  const entries = Object.entries(body).map(([name, value]: [string, unknown]) => [
    uncapitalized(name),
    value,
  ]);
  // The entries have these names, which TypeScript does not see.
  return Object.fromEntries(entries) as ReturnType<typeof fieldsIn<B>>;
}

function wordsOf(name: string): string {
  return name.replaceAll(/(?<!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
