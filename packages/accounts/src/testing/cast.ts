import { query } from '@gatehouse/db';
import { readConfig } from '@gatehouse/runtime';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { Type } from '@gatehouse/schema';
import { addPasskey, fixturesOf, grantContent, logIn, newAccount, newContent } from './accounts.ts';
import { newToken, type AccountRef } from './accounts.ts';
import { readAudit } from './audit.ts';
import type { TestAccounts } from './open-test-accounts.ts';

interface Service {
  app: TestAccounts;
  stop(): Promise<void>;
}

const { MOCHA_WORKER_ID } = readConfig(Type.Object({ MOCHA_WORKER_ID: Type.Optional(Type.String()) }));

/**
 * The service of a file, or without `own` that of this process, which all such files use: they rely on nothing but their
 * own people. Whoever stops it, moves its clock, counts everything in it or changes its tables gives settings, even `{}`,
 * and has one alone. Events stay in the outbox, where tests read them.
 */
export function servicesOf<S extends Service>(start: () => Promise<S>) {
  let shared: Promise<S> | undefined;
  const quiet = async (starting: Promise<S>): Promise<S> => {
    const service = await starting;
    await service.app.relay.stop();
    return service;
  };
  // Mocha ends its parallel processes, which run one file after the other; a single one ends by itself after all files.
  if (MOCHA_WORKER_ID === undefined) after(async () => (await shared)?.stop());
  return (own?: () => Promise<S>): (() => S) => {
    let service: S;
    before(async () => (service = await (own === undefined ? (shared ??= quiet(start())) : quiet(own()))));
    after(() => (own === undefined ? tidy(service.app) : service.stop()));
    return () => service;
  };
}

/** Starts further processes of a file's service, which end before it where this was called before. */
export function othersOf<S extends Service, Given extends unknown[]>(start: (...given: Given) => Promise<S>) {
  const others: S[] = [];
  after(async () => {
    for (const other of others.splice(0)) await other.stop();
  });
  return async (...given: Given): Promise<S> => {
    const other = await start(...given);
    others.push(other);
    await other.app.relay.stop();
    return other;
  };
}

/** Ends the use of a shared service by a file: later ones read the outbox for every mail, and must not read these again. */
async function tidy(app: TestAccounts): Promise<void> {
  app.refuseDenials();
  app.lines.length = 0;
  app.clock.now = Date.now; // codes of second factors have moved it
  const sql = 'delete from outbox where id in (select id from outbox order by id for update skip locked)';
  await query(app.db, sql);
}

/** People with accounts that are made without Core, and what tests look up. */
export function peopleOf(app: () => TestAccounts) {
  const sql = <Row extends object>(text: string, values?: Parameters<typeof query>[2]) =>
    query<Row>(app().db, text, values);
  const mailTypes = async (email: string) => (await app().mailsTo(email)).map(({ type }) => type);
  const own = fixturesOf(app);
  const [audit, login, newMember] = [own(readAudit), own(logIn), own(newAccount)];
  /** These fields of the audit entries that match, newest first; the values of one field alone. */
  const history = async (
    filter: Parameters<typeof readAudit>[1],
    ...fields: (keyof Awaited<ReturnType<typeof readAudit>>['entries'][number])[]
  ): Promise<unknown[]> => {
    return fieldsOf((await audit(filter)).entries, ...fields);
  };
  const personOf = ({ id, email }: AccountRef) => ({
    id,
    email,
    logsIn: (overrides?: Parameters<typeof logIn>[2]) => login({ id }, overrides),
    /** Changes the row of their account: `is_disabled = true`. */
    set: (assignments: string) => sql(`update account set ${assignments} where id = ?`, [id]),
    mails: () => app().mailsTo(email),
    mailTypes: () => mailTypes(email),
    sessions: () => {
      const active = 'select id from user_session where account_id = ? and ended_at is null order by id';
      return query.column<string>(app().db, active, [id]);
    },
  });
  return {
    sql,
    audit,
    history,
    mailTypes,
    mailsTo: (email: string) => app().mailsTo(email),
    member: async (...given: Parameters<typeof newMember>) => personOf(await newMember(...given)),
    login,
    newContent: own(newContent),
    newToken: own(newToken),
    addPasskey: own(addPasskey),
    grant: own(grantContent),
    /** The role that a token has, or why it is refused. */
    standing: async (token = '', of = app()) => {
      const caller = await of.auth.authenticate(`Bearer ${token}`);
      return caller.kind === 'refused' ? caller.code : caller.role;
    },
    eventsOf: async (accountId: string, type = '%') => {
      const events = `select type, event -> 'data' as data from outbox
         where type like ? and event -> 'data' ->> 'UserId' = ? order by id`;
      const rows = await sql<{ type: string; data: Record<string, unknown> }>(events, [type, accountId]);
      return rows.map((row) => [row.type, row.data] as const);
    },
  };
}

export function atOnce<T>(times: number, work: (index: number) => T): Promise<Awaited<T>[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(index)));
}

export function statusesOf(answers: readonly { status: number }[]): number[] {
  return answers.map(({ status }) => status).toSorted((one, other) => one - other);
}
