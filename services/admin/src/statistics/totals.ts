import type { AccountsDeps } from '@gatehouse/accounts';
import { mailDeliveries, outbox, query, type Db, type Executor } from '@gatehouse/db';
import type { Metrics } from '@gatehouse/runtime';
import { Timestamp, Type, type Static } from '@gatehouse/schema';
import { measure } from '../measure.ts';

const Count = () => Type.Integer();

export const Totals = Type.Object({
  Accounts: Count(),
  AccountsIsExact: Type.Boolean({ description: 'false if `Accounts` is an estimate' }),
  ByRole: Type.Object({ User: Count(), Guest: Count(), Admin: Count() }, { title: 'AccountsByRole' }),
  Disabled: Count(),
  Unverified: Count(),
  TwoFactor: Count(),
  Passkeys: Count(),
  SessionsActive: Count(),
  Online: Count(),
  Invitations: Count(),
  MailsParked: Count(),
  MailsWaiting: Count(),
  MailsOldestSeconds: Type.Number({ description: 'Age of the oldest waiting email; 0 if none' }),
  OutboxWaiting: Count(),
  OutboxOldestSeconds: Type.Number({ description: 'Age of the oldest waiting event; 0 if none' }),
  Throttled: Type.Integer({
    description: 'Number of accounts and user names whose logins wait after failed attempts',
  }),
  At: Timestamp(),
});
type Totals = Static<typeof Totals>;

/** Same wording as in the partial indexes. */
const COUNTED = {
  All: 'account',
  Guests: `account where role = 'Guest'`,
  Admins: `account where role = 'Admin'`,
  Disabled: 'account where is_disabled_now(is_disabled, disabled_until)',
  Unverified: `account where signup = 'complete' and email_verified_at is null`,
  TwoFactor: 'two_factor where enabled_at is not null',
  Passkeys: 'passkey',
  SessionsActive: 'user_session where ended_at is null',
  Online: `user_session
    where ended_at is null and last_pinged_at > now() - make_interval(secs => :onlineWindowSeconds)`,
  Invitations: 'invitation where accepted_at is null and deleted_at is null',
  MailsParked: `mail_delivery where status = 'Parked'`,
  Throttled: 'login_throttle where blocked_until > now()',
};
type Counted = keyof typeof COUNTED;

/** Rows are counted up to this number; on a screen, a higher number says nothing more. */
const COUNT_MAX = 100_000;
const REMEMBERED_MS = 15_000;

type TotalsDeps = Pick<AccountsDeps, 'db' | 'now'> & {
  settings: Pick<AccountsDeps['settings'], 'ONLINE_WINDOW_SECONDS'>;
};

/** Its cost does not grow with its calls: a result is reused for 15 seconds, and concurrent callers share a query. */
export function createTotals(deps: TotalsDeps): () => Promise<Totals> {
  let last: { at: number; totals: Promise<Totals> } | undefined;
  return () => {
    const now = deps.now();
    if (last !== undefined && Math.abs(now - last.at) < REMEMBERED_MS) return last.totals;
    const read = { at: now, totals: readTotals(deps) };
    last = read;
    read.totals.catch(() => {
      if (last === read) last = undefined;
    });
    return read.totals;
  };
}

async function readTotals({ db, now, settings }: TotalsDeps): Promise<Totals> {
  const At = new Date(now()).toISOString();
  // One after another: these numbers are less urgent than other requests that need a connection.
  const { All, Guests, Admins, Estimated, ...counts } = await count(db, settings.ONLINE_WINDOW_SECONDS);
  const mails = await mailDeliveries.backlog(db, COUNT_MAX);
  const waiting = await outbox.backlog(db, COUNT_MAX);
  const AccountsIsExact = All <= COUNT_MAX;
  const Accounts = AccountsIsExact ? All : Math.max(COUNT_MAX, Math.round(Estimated));
  return {
    ...{ Accounts, AccountsIsExact },
    ByRole: { User: Math.max(0, Accounts - Guests - Admins), Guest: Guests, Admin: Admins },
    ...counts,
    ...{ MailsWaiting: mails.count, MailsOldestSeconds: mails.ageSeconds },
    ...{ OutboxWaiting: waiting.count, OutboxOldestSeconds: waiting.ageSeconds },
    At,
  };
}

/** Counts each total with an index. `Estimated`: Postgres' own number of accounts, from its latest analysis of the table. */
async function count(executor: Executor, onlineWindowSeconds: number) {
  const columns = Object.entries(COUNTED).map(([name, from]) => `(${countOf(from)}) as "${name}"`);
  return await query.only<Record<Counted | 'Estimated', number>>(
    executor,
    `select ${columns.join(', ')},
       (select greatest(reltuples, 0)::float8 from pg_class where oid = 'account'::regclass) as "Estimated"`,
    { max: COUNT_MAX + 1, onlineWindowSeconds },
  );
}

function countOf(from: string): string {
  return `select count(*)::int as count from (select 1 from ${from} limit :max) as counted`;
}

export function measureOnline(db: Db, onlineWindowSeconds: number, metrics: Metrics): void {
  const online = {
    name: 'gatehouse_sessions_online',
    help: 'Sessions seen within ONLINE_WINDOW_SECONDS, up to 100000',
  };
  const bounds = { max: COUNT_MAX, onlineWindowSeconds };
  measure(metrics, online, () => query.onlyValue<number>(db, countOf(COUNTED.Online), bounds));
}
