import { query, type Binding, type Executor, type Transaction } from './connect.ts';

/** The values of its `?` in order, or an object with its `:names`. Each must be there; `undefined` is null. */
type Bindings<Given> = { readonly [Name in keyof Given]-?: Binding | undefined };

type Arguments<Given> = Given extends readonly unknown[] ? Given : [given: Given];

type Ask<Answer> = (...statement: Parameters<typeof query>) => Promise<Answer>;

/**
 * Makes functions of statements: `statement.row<Account, [id: string]>('select … where id = ?')` has the parameters
 * `executor` and `id`. Its name says what comes back, as with `query`; after `run` nothing does.
 */
function statementsOf<By extends Executor>() {
  const made =
    <Given, Answer>(ask: Ask<Answer>, sql: string) =>
    (by: By, ...given: Arguments<Given>): Promise<Answer> =>
      ask(by, sql, bindingsOf(sql, given));
  const run: Ask<void> = async (...statement) => {
    await query(...statement);
  };

  return {
    run: <Given extends Bindings<Given> = []>(sql: string) => made<Given, void>(run, sql),
    rows: <Row, Given extends Bindings<Given> = []>(sql: string) => made<Given, Row[]>(query, sql),
    row: <Row, Given extends Bindings<Given> = []>(sql: string) =>
      made<Given, Row | undefined>(query.row, sql),
    only: <Row, Given extends Bindings<Given> = []>(sql: string) => made<Given, Row>(query.only, sql),
    column: <Value, Given extends Bindings<Given> = []>(sql: string) =>
      made<Given, Value[]>(query.column, sql),
    value: <Value, Given extends Bindings<Given> = []>(sql: string) =>
      made<Given, Value | undefined>(query.value, sql),
    onlyValue: <Value, Given extends Bindings<Given> = []>(sql: string) =>
      made<Given, Value>(query.onlyValue, sql),
    any: <Given extends Bindings<Given> = []>(sql: string) => made<Given, boolean>(query.any, sql),
    count: <Given extends Bindings<Given> = []>(sql: string) => made<Given, number>(query.count, sql),
  };
}

/** As `Bindings` says, which TypeScript does not see here. */
function bindingsOf(sql: string, given: readonly unknown[]) {
  const bindings = sql.includes('?') ? given.map((value) => value ?? null) : given[0];
  return bindings as Parameters<typeof query>[2];
}

export const statement = statementsOf<Executor>();

/** The same for statements that only a transaction may run. */
export const txStatement = statementsOf<Transaction>();

/** The values that rows have in each of these fields, for `unnest(cast(:id as uuid[]), …)`; `undefined` is null. */
export function arraysOf<T extends object, N extends keyof T & string>(rows: readonly T[], ...names: N[]) {
  const arrays = names.map((name) => [name, rows.map((row) => row[name] ?? null)]);
  return Object.fromEntries(arrays) as Record<N, Binding>;
}
