import type { SignInMethod, SignInReason, SignInResult } from '@gatehouse/schema';
import type { CountableRows } from '../postgres/bounded-count.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { conditionsOf, ordered, sieve, since, until, type Filters } from '../search/filters.ts';
import { allOf, findPage, type ListQuery } from '../search/newest-matches.ts';

/** A sign-in to record, or several refused ones of an address in one row. */
export interface NewSignIn {
  id: string;
  /** How long ago it was, in seconds: the time of the row is the database's. */
  ageSeconds: number;
  accountId: string | undefined;
  method: SignInMethod | undefined;
  provider: string | undefined;
  result: SignInResult;
  reason: SignInReason | undefined;
  address: string | undefined;
  userAgent: string | undefined;
  traceId: string | undefined;
  count: number;
}

/** Records sign-ins, except those of accounts that do not exist any more. Accounts are locked until the commit. */
export async function insert(executor: Executor, signIns: readonly NewSignIn[]): Promise<void> {
  await query(
    executor,
    `with owner as (
       select id from account where id = any(cast(:accountIds as uuid[])) order by email_key for key share
     )
     insert into sign_in
       (id, at, account_id, method, provider, result, reason, ip_address, user_agent, trace_id, count)
     select given.id, now() - make_interval(secs => age), account_id, method, provider, result, reason,
       cast(address as inet), user_agent, trace_id, count
     from unnest(
       cast(:ids as uuid[]), cast(:ages as float8[]), cast(:accountIds as uuid[]), cast(:methods as text[]),
       cast(:providers as text[]), cast(:results as text[]), cast(:reasons as text[]), cast(:addresses as text[]),
       cast(:userAgents as text[]), cast(:traceIds as text[]), cast(:counts as int[])
     ) as given (id, age, account_id, method, provider, result, reason, address, user_agent, trace_id, count)
     left join owner on owner.id = given.account_id
     where given.account_id is null or owner.id is not null`,
    {
      ids: signIns.map(({ id }) => id),
      ages: signIns.map(({ ageSeconds }) => ageSeconds),
      accountIds: signIns.map(({ accountId }) => accountId ?? null),
      methods: signIns.map(({ method }) => method ?? null),
      providers: signIns.map(({ provider }) => provider ?? null),
      results: signIns.map(({ result }) => result),
      reasons: signIns.map(({ reason }) => reason ?? null),
      addresses: signIns.map(({ address }) => address ?? null),
      userAgents: signIns.map(({ userAgent }) => userAgent ?? null),
      traceIds: signIns.map(({ traceId }) => traceId ?? null),
      counts: signIns.map(({ count }) => count),
    },
  );
}

/** A recorded sign-in, as its owner sees it. */
export interface OwnSignIn {
  id: string;
  at: Date;
  method: SignInMethod | null;
  provider: string | null;
  result: SignInResult;
  reason: string | null;
  ipAddress: string | null;
  userAgent: string | null;
}

export interface SignIn extends OwnSignIn {
  accountId: string | null;
  /** The current email of the account. */
  email: string | null;
  traceId: string | null;
  count: number;
}

/** The last `max` sign-ins to an account, newest first. */
export async function findOwn(executor: Executor, accountId: string, max: number): Promise<OwnSignIn[]> {
  return query<OwnSignIn>(
    executor,
    `select id, at, method, provider, result, reason, host(ip_address) as "ipAddress", user_agent as "userAgent"
     from sign_in
     where account_id = ?
     order by id desc
     limit ?`,
    [accountId, max],
  );
}

/** Filters of sign-ins; `from` is inclusive, `to` exclusive. */
export interface SignInFilter {
  userId?: string | undefined;
  result?: SignInResult | undefined;
  reason?: SignInReason | undefined;
  method?: SignInMethod | undefined;
  provider?: string | undefined;
  /** A valid IP address; the caller has checked it. */
  ipAddress?: string | undefined;
  traceId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A page of matching sign-ins, newest first, after `beforeId`; see `findPage`. */
export async function findNewest(
  executor: Executor,
  filter: SignInFilter,
  page: { beforeId: string | undefined; max: number },
): Promise<{ rows: SignIn[]; nextBeforeId: string | undefined }> {
  const { ids, nextBeforeId } = await findPage(executor, listOf(filter), page);
  const rows = await query<SignIn>(
    executor,
    `select s.id, s.at, s.account_id as "accountId", a.email, s.method, s.provider, s.result, s.reason,
       host(s.ip_address) as "ipAddress", s.user_agent as "userAgent", s.trace_id as "traceId", s.count
     from sign_in s
     left join account a on a.id = s.account_id
     where s.id = any(cast(? as uuid[]))
     order by s.id desc`,
    [ids],
  );
  return { rows, nextBeforeId };
}

/** All matching sign-ins, for counting. */
export function rowsOf(filter: SignInFilter): CountableRows {
  const wanted = listOf(filter);
  return { sql: `select 1 from sign_in where ${allOf(wanted)}`, bindings: wanted.bindings };
}

function listOf({ from, to, ...filter }: SignInFilter): ListQuery {
  const times = conditionsOf(TIMES, { from, to });
  const { ordered: indexed, sieve: others, bindings } = conditionsOf(CONDITIONS, filter);
  return {
    table: 'sign_in',
    // The first condition's index determines what is scanned.
    ordered: [...indexed.slice(0, 1), ...times.ordered, ...times.sieve],
    sieve: [...indexed.slice(1), ...others],
    sieved: ['account_id', 'ip_address', 'reason', 'provider', 'result', 'method'],
    bindings: { ...bindings, ...times.bindings },
    isSearchIndexed: false,
  };
}

/** Conditions with an index in list order come first, probably the most selective one before the others. */
const CONDITIONS: Filters<Omit<SignInFilter, 'from' | 'to'>> = {
  traceId: ordered('trace_id = :traceId'),
  userId: ordered('account_id = :userId'),
  ipAddress: ordered('ip_address = cast(:ipAddress as inet)'),
  reason: ordered('reason = :reason'),
  provider: ordered('provider = :provider'),
  result: ordered('result = :result'),
  method: sieve('method = :method'),
};

const TIMES: Filters<Pick<SignInFilter, 'from' | 'to'>> = { from: since('at'), to: until('at') };
