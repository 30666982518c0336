import { query, type Executor } from '../postgres/connect.ts';

/** Current totals for administrators, each counted up to the given bound. */
export interface OverviewCounts {
  accounts: number;
  /** Postgres' own estimate, from its latest analysis of the table. */
  accountsEstimated: number;
  guests: number;
  admins: number;
  disabled: number;
  unverified: number;
  twoFactor: number;
  /** The number of passkeys, not of accounts that have one. */
  passkeys: number;
  sessionsActive: number;
  online: number;
  invitations: number;
  mailsParked: number;
  throttled: number;
}

/** Counts each total with an index, only up to the bound. */
export async function count(
  executor: Executor,
  bounds: { max: number; onlineWindowSeconds: number },
): Promise<OverviewCounts> {
  const columns = Object.entries(COUNTED).map(
    ([name, from]) =>
      `(select count(*)::int from (select 1 from ${from} limit :max) as counted) as "${name}"`,
  );
  const [row] = await query<OverviewCounts>(
    executor,
    `select ${columns.join(', ')},
       (select greatest(reltuples, 0)::float8 from pg_class where oid = 'account'::regclass) as "accountsEstimated"`,
    bounds,
  );
  if (row === undefined) throw new Error('a select without a table returned no row');
  return row;
}

/** How many sessions were seen within the window, counted only up to the bound. */
export async function countOnline(
  executor: Executor,
  bounds: { max: number; onlineWindowSeconds: number },
): Promise<number> {
  const [row] = await query<{ count: number }>(
    executor,
    `select count(*)::int as count from (select 1 from ${COUNTED.online} limit :max) as counted`,
    bounds,
  );
  return row?.count ?? 0;
}

/** Same wording as in the partial indexes. */
const COUNTED: Record<Exclude<keyof OverviewCounts, 'accountsEstimated'>, string> = {
  accounts: 'account',
  guests: `account where role = 'Guest'`,
  admins: `account where role = 'Admin'`,
  disabled: 'account where is_disabled_now(is_disabled, disabled_until)',
  unverified: `account where signup = 'complete' and email_verified_at is null`,
  twoFactor: 'two_factor where enabled_at is not null',
  passkeys: 'passkey',
  sessionsActive: 'user_session where ended_at is null',
  online: `user_session
    where ended_at is null and last_pinged_at > now() - make_interval(secs => :onlineWindowSeconds)`,
  invitations: 'invitation where accepted_at is null and deleted_at is null',
  mailsParked: `mail_delivery where status = 'Parked'`,
  throttled: 'login_throttle where blocked_until > now()',
};
