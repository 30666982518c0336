import { actorOf, CHANGED_MAX, write, type AccountsDeps, type WriteTransaction } from '@gatehouse/accounts';
import { countRows } from '@gatehouse/db';
import type { AuditAction, AuditTargetKind, Executor, List, Listing } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery, placed, reply } from '@gatehouse/http';
import type { At, ErrorCode, FreshProof, Input, Refuse, Route } from '@gatehouse/http';
import { Optional, Type, type Static, type TObject, type TProperties } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { defineFilters, type FilterSet, type FilterValues } from './filters.ts';
import { pascal, type Fields, type RowOf, type Table } from './record.ts';

type Awaitable<T> = T | Promise<T>;
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- the properties of an object that has none
type NoProperties = Record<never, never>;
/** A route, without what all routes of its subject have in common. */
type Part<Deps> = Omit<Route<Deps>, 'tag' | 'access'> & Partial<Pick<Route<Deps>, 'tag' | 'access'>>;

/** What the documents say of a route; without them, what is usual for its kind. */
interface About {
  operationId?: string;
  summary?: string;
  description?: string;
}

interface AboutChange<
  E extends readonly ErrorCode[],
  R extends FreshProof = Exclude<FreshProof, { when: string }>,
> extends About {
  recent: R;
  /** Its refusals, besides `not_found` where it names a row. */
  errors?: E;
}

interface Work<Deps, E extends readonly ErrorCode[], B extends TProperties> extends Pick<
  AnyInput<Deps>,
  'deps' | 'caller' | 'request'
> {
  tx: WriteTransaction;
  id: string;
  body: Static<TObject<B>>;
  /** Creates an error to throw; it rolls back the change. */
  refuse: Refuse<E[number]>;
}

type AnyInput<Deps> = Input<Deps, 'bearer', undefined, undefined, undefined>;
/** The row as the change leaves it, with what the answer has besides it. */
type Changed<F extends Fields, A extends TProperties> = { row: RowOf<F> } & Static<TObject<A>>;

/** The makers of the usual routes of a service's subjects (docs/architecture.md, "The kit"). */
// oxlint-disable-next-line max-lines-per-function -- seven functions that have the type of a service's dependencies
export function kit<Deps extends AccountsDeps>() {
  return {
    /** The routes of a subject, made ones and plain ones, in the order of the documents. */
    routes: (
      common: { tag: string } & Pick<Route<Deps>, 'access'>,
      parts: readonly Part<Deps>[],
    ): Route<Deps>[] => parts.map((part) => ({ ...common, ...part })),

    /** A page of rows, newest first, on request with their number. */
    list<
      F extends Fields,
      G extends FilterSet,
      Q extends TProperties = NoProperties,
      I extends TProperties = TProperties,
    >(
      of: Table<F>,
      at: At<'get'>,
      own: About &
        Listing<FilterValues<G>> & {
          filters: G;
          query?: Q;
          /** What distinguishes its cursors from those of other lists. */
          cursor?: string;
          /** Another list than that of the filters' conditions. */
          rows?: Pick<List<FilterValues<G>, RowOf<F>>, 'findNewest' | 'rowsOf'>;
          /** Items with more than the record has. */
          Item?: TObject<I>;
          items?: (
            rows: readonly RowOf<F>[],
            at: { deps: Deps; query: Static<TObject<Q>> },
          ) => Promise<Static<TObject<I>>[]>;
        },
    ): Part<Deps> {
      const { filters: declared, query: more, sieved, selective, always, cursor, rows, ...rest } = own;
      const { Item = of.Answer, items, ...about } = rest;
      const filters = defineFilters(declared);
      const found = rows ?? of.list(filters.sql, { sieved, selective, always });
      const paging = pagingById(cursor ?? `${of.name}Id`);
      return made(at, {
        operationId: `list${of.name}s`,
        summary: `List ${of.nouns}, newest first`,
        ...about,
        query: Type.Object({ ...pagingQuery(), ...countQuery(), ...filters.query, ...more }),
        response: CountedPage(Item),
        handler: ({ query, deps, request }) => {
          const filter = filters.ofQuery(query ?? {});
          return paging.answer(asked<PageQuery>(query), {
            find: (page) => found.findNewest(deps.db, filter, page),
            count: () => countRows(deps, found.rowsOf(filter), request),
            items: (page): unknown[] | Promise<unknown[]> =>
              items === undefined ? page.map(of.answer) : items(page, { deps, query: asked(query) }),
          });
        },
      });
    },

    one<F extends Fields>(of: Table<F>, at: At<'get'>, about: About = {}): Part<Deps> {
      return made(at, {
        operationId: `get${of.name}`,
        summary: `Get ${withArticle(of.noun)}`,
        ...about,
        response: of.Answer,
        errors: ['not_found'],
        handler: async ({ params, deps, refuse }) => {
          const row = await of.find(deps.db, asked<ById>(params).id);
          if (row === undefined) throw refuse('not_found', unknown(of));
          return of.answer(row);
        },
      });
    },

    creates<
      F extends Fields,
      B extends TProperties,
      const E extends readonly ErrorCode[] = [],
      A extends TProperties = NoProperties,
    >(
      of: Table<F, string, AuditTargetKind>,
      at: At<'post'>,
      own: AboutChange<E> & {
        body: B;
        /** What the answer has besides the record. */
        also?: A;
        /** What the header `Location` of the answer names. */
        location?: string;
        run: (work: Work<Deps, E, B>) => Awaitable<Changed<F, A>>;
      },
    ): Part<Deps> {
      const { body, also, errors = [], location, run, ...about } = own;
      return made(at, {
        operationId: `create${of.name}`,
        summary: `Create ${withArticle(of.noun)}`,
        ...about,
        body: Type.Object(body),
        response: also ? Type.Object({ ...of.properties, ...also }) : of.Answer,
        status: 201,
        errors,
        ...(location !== undefined && { headers: { response: { Location: location } } }),
        handler: async (input) => {
          const id = newId();
          const changed = await written(of, id, input, async (tx) => run(workOf<Deps, E, B>(input, tx, id)));
          const headers = {
            ...(location !== undefined && { Location: `${at.slice('POST '.length)}/${id}` }),
          };
          return reply({ headers, body: answerOf(of, changed) });
        },
      });
    },

    /** A change of one row, which is locked; or what it does with one, if it answers something else. */
    changes<
      F extends Fields,
      B extends TProperties = NoProperties,
      const E extends readonly ErrorCode[] = [],
      A extends TProperties = NoProperties,
      R extends TProperties | undefined = undefined,
    >(
      of: Table<F, string, AuditTargetKind>,
      at: At<'put' | 'patch' | 'post'>,
      own: AboutChange<E, FreshProof> & {
        operationId: string;
        summary: string;
        body?: B;
        /** What the answer has besides the record … */
        also?: A;
        /** … or instead of it. */
        response?: R;
        status?: number;
        /** `isConfirmed`: with `recent: { when }`, whether the caller has proved their identity recently. */
        run: (
          work: Work<Deps, E, B> & { before: RowOf<F>; isConfirmed: boolean },
        ) => Awaitable<R extends TProperties ? Static<TObject<R>> : Changed<F, A>>;
      },
    ): Part<Deps> {
      const { body, also, response, errors = [], run, ...about } = own;
      const Answer = also ? Type.Object({ ...of.properties, ...also }) : of.Answer;
      return made(at, {
        ...about,
        ...(body && { body: Type.Object(body) }),
        response: response ? Type.Object(response) : Answer,
        errors: ['not_found', ...errors],
        handler: async (input) => {
          const { id } = asked<ById>(input.params);
          // Before the transaction, because it needs a connection of its own.
          const isConfirmed = !asksWhen(own.recent) || (await input.isConfirmed());
          const changed = await written(of, id, input, async (tx) => {
            const before = await of.lock(tx, id);
            if (before === undefined) throw input.refuse('not_found', unknown(of));
            return run({ ...workOf<Deps, E, B>(input, tx, id), before, isConfirmed });
          });
          return response ? changed : answerOf(of, asked(changed));
        },
      });
    },

    removes<F extends Fields, const E extends readonly ErrorCode[] = []>(
      of: Table<F, string, AuditTargetKind>,
      at: At<'delete'>,
      own: AboutChange<E> & {
        /** Without it, `run` says what the audit says. */
        audit?: AuditAction;
        /** Instead of only deleting it. */
        run?: (work: Work<Deps, E, NoProperties> & { before: RowOf<F> }) => Awaitable<void>;
      },
    ): Part<Deps> {
      const { audit, errors = [], run, ...about } = own;
      return made(at, {
        operationId: `delete${of.name}`,
        summary: `Delete ${withArticle(of.noun)}`,
        ...about,
        errors: ['not_found', ...errors],
        handler: async (input) => {
          const { id } = asked<ById>(input.params);
          await written(of, id, input, async (tx) => {
            const before = await of.lock(tx, id);
            if (before === undefined) throw input.refuse('not_found', unknown(of));
            if (run === undefined) await of.remove(tx, id);
            else await run({ ...workOf<Deps, E, NoProperties>(input, tx, id), before });
            if (audit !== undefined) tx.audit(audit);
          });
          return undefined;
        },
      });
    },

    /**
     * A change of all rows that match a filter, at most `CHANGED_MAX`, or of none. With `DryRun` it reads without locks,
     * so that nobody waits for it, writes nothing, and answers what the change would.
     */
    bulk<F extends Fields, const E extends readonly ErrorCode[] = [], A extends TProperties = NoProperties>(
      of: Table<F, string, AuditTargetKind>,
      at: At<'post'>,
      own: AboutChange<E> & {
        operationId: string;
        summary: string;
        filters: FilterSet;
        /** The title of the filter's schema. */
        title: string;
        /** A condition of all rows that it may change. */
        always: string;
        /** What `Count` in the answer counts. */
        counts: string;
        /** What the answer has besides. */
        also?: A;
        /** Which of the rows are changed, and what the answer has besides their number. */
        plan?: (
          rows: readonly RowOf<F>[],
          at: { deps: Deps; executor: Executor; locks: boolean },
        ) => Awaitable<{ rows: readonly RowOf<F>[] } & Static<TObject<A>>>;
        run: (rows: readonly RowOf<F>[], work: { tx: WriteTransaction; deps: Deps }) => Awaitable<void>;
      },
    ): Part<Deps> {
      const { filters: declared, title, always, counts, also, plan, run, errors = [], ...about } = own;
      const filters = defineFilters(declared, { title });
      return made(at, {
        ...about,
        body: Type.Object({ Filter: filters.body, DryRun: Optional.Boolean() }),
        response: Type.Object({ Count: Type.Integer({ description: counts }), ...also }),
        errors: ['conflict', ...errors],
        handler: async (input) => {
          const { deps, request, refuse } = input;
          const body = asked<{ Filter: Record<string, unknown>; DryRun?: boolean }>(input.body);
          const filter = filters.ofBody(body.Filter);
          const planned = async (executor: Executor, locks: boolean) => {
            const max = CHANGED_MAX + 1;
            const rows = await of.matching(executor, filters.sql, { filter, always, max, locks });
            if (rows.length > CHANGED_MAX)
              throw refuse('conflict', `More than ${CHANGED_MAX} ${of.nouns} match; nothing was changed`);
            return plan === undefined ? { rows } : plan(rows, { deps, executor, locks });
          };
          const isTrial = body.DryRun === true;
          const { rows, ...more } = isTrial
            ? await planned(deps.db, false)
            : await written(of, undefined, input, async (tx) => {
                const plans = await planned(tx, true);
                await run(plans.rows, { tx, deps });
                return plans;
              });
          request.addToLog({ changed: isTrial ? 0 : rows.length });
          return { Count: rows.length, ...more };
        },
      });
    },
  };
}

interface ById {
  id: string;
}
interface PageQuery {
  limit: number;
  cursor?: string;
  count?: boolean;
}

/** What a route's schemas have checked, of which a `Route` knows no types. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it stands for casts, all of which are here
function asked<T>(given: unknown): T {
  return given as T;
}

type AnyInputOf<Deps> = Parameters<Route<Deps>['handler']>[0];

/** A route whose answer has the form of its schemas, as the types of its maker say. */
function made<Deps>(
  at: At,
  route: Omit<Part<Deps>, 'method' | 'path' | 'handler'> & {
    handler: (input: AnyInputOf<Deps>) => Promise<unknown>;
  },
): Part<Deps> {
  return { ...placed(at), ...route, handler: asked(route.handler) };
}

/** Makes a change with its audit entries about the row, or about several. */
function written<Deps extends AccountsDeps, T>(
  of: { name: AuditTargetKind },
  id: string | undefined,
  { deps, caller, request }: Pick<AnyInputOf<Deps>, 'deps' | 'caller' | 'request'>,
  change: (tx: WriteTransaction) => Promise<T>,
): Promise<T> {
  const target = { kind: of.name, id };
  return write(deps, { actor: actorOf(asked(caller)), origin: request, target }, change);
}

function workOf<Deps, E extends readonly ErrorCode[], B extends TProperties>(
  input: AnyInputOf<Deps>,
  tx: WriteTransaction,
  id: string,
): Work<Deps, E, B> {
  const { deps, request, refuse } = input;
  return { deps, request, refuse, tx, id, caller: asked(input.caller), body: asked(input.body) };
}

function answerOf<F extends Fields>(of: Table<F>, { row, ...more }: { row: RowOf<F> }): object {
  return { ...of.answer(row), ...more };
}

function asksWhen(recent: FreshProof): boolean {
  return typeof recent === 'object' && 'when' in recent;
}

function unknown({ noun }: { noun: string }): string {
  return `${pascal(noun)} not found`;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
