import { isIP } from 'node:net';
import type { NewSignIn } from '@gatehouse/db';
import type { Log } from '@gatehouse/runtime';
import type { SignInMethod, SignInReason } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';

export interface SignInAttempt {
  accountId?: string | undefined;
  /** Unknown for a token that stands for an earlier proof. */
  method: SignInMethod | undefined;
  provider?: string | undefined;
  address?: string | undefined;
  /** The address, or the /64 of an IPv6 address. */
  addressGroup?: string | undefined;
  userAgent?: string | undefined;
  traceId: string;
}

export type SignInRecorder = ReturnType<typeof createSignInRecorder>;

const PENDING_MAX = 5000;
/** Other results than a success, each minute, for an address; those beyond it are counted in one row. */
const PER_ADDRESS_MAX = 20;
const ADDRESSES_MAX = 5000;
const MINUTE_MS = 60_000;

/** The time of a sign-in is measured again when it is written: only then is the database's time known. */
type Pending = Omit<NewSignIn, 'ageSeconds'> & { atMs: number };

/** What an address did in a minute; `surplus`: the row of the attempts beyond the limit. */
interface Address {
  minute: number;
  count: number;
  surplus: Pending | undefined;
}

/** Records sign-ins in memory, and writes them to Postgres soon, so that no login waits for it. */
export function createSignInRecorder({ log, now }: { log: Log; now: () => number }) {
  const pending = createPending();
  const limit = createAddressLimit(pending);
  const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);
  const rowOf = (attempt: SignInAttempt): Omit<Pending, 'result' | 'reason'> => ({
    id: newId(),
    atMs: now(),
    accountId: attempt.accountId,
    method: attempt.method,
    provider: attempt.provider,
    // An address that Postgres does not accept would lose all rows that are written with it.
    address: isIP(attempt.address ?? '') === 0 ? undefined : attempt.address,
    userAgent: attempt.userAgent,
    traceId: attempt.traceId,
    count: 1,
  });
  const addLimited = (row: Pending, { address = '', addressGroup = address }: SignInAttempt) =>
    limit.add(row, addressGroup, minuteOf(row.atMs));
  return {
    succeeded: (attempt: SignInAttempt) =>
      pending.add({ ...rowOf(attempt), result: 'Succeeded', reason: undefined }),
    secondFactorAsked: (attempt: SignInAttempt) =>
      addLimited({ ...rowOf(attempt), result: 'SecondFactorAsked', reason: undefined }, attempt),
    refused: (attempt: SignInAttempt, reason: SignInReason) =>
      addLimited({ ...rowOf(attempt), result: 'Refused', reason }, attempt),
    /** Passes the sign-ins since the last call to `save`; what cannot be saved is dropped, and counted in the log. */
    flush: async (
      save: (signIns: readonly NewSignIn[]) => Promise<void>,
      { isLast } = { isLast: false },
    ): Promise<void> => {
      limit.endMinutes(isLast ? undefined : minuteOf(now()));
      const { rows, dropped } = pending.take();
      if (dropped > 0) log.warn('sign-ins were not recorded: too many at once', { count: dropped });
      if (rows.length === 0) return;
      try {
        await save(rows.map((row) => ({ ...row, ageSeconds: Math.max(0, now() - row.atMs) / 1000 })));
      } catch (error) {
        const count = rows.reduce((sum, row) => sum + row.count, 0);
        log.warn('sign-ins were not recorded', { count, error });
      }
    },
  };
}

function createPending() {
  let rows: Pending[] = [];
  let dropped = 0;
  return {
    add: (row: Pending): void => {
      if (rows.length < PENDING_MAX) rows.push(row);
      else dropped += row.count;
    },
    drop: (): void => {
      dropped += 1;
    },
    take: () => {
      const taken = { rows, dropped };
      rows = [];
      dropped = 0;
      return taken;
    },
  };
}

function createAddressLimit(pending: Pick<ReturnType<typeof createPending>, 'add' | 'drop'>) {
  const addresses = new Map<string, Address>();
  return {
    add: (row: Pending, addressGroup: string, minute: number): void => {
      const known = addresses.get(addressGroup);
      if (known?.minute === minute && known.count >= PER_ADDRESS_MAX) {
        known.surplus ??= surplusOf(row);
        known.surplus.count += 1;
      } else if (known?.minute === minute) {
        known.count += 1;
        pending.add(row);
      } else if (known === undefined && addresses.size >= ADDRESSES_MAX) {
        pending.drop();
      } else {
        if (known?.surplus !== undefined) pending.add(known.surplus);
        addresses.set(addressGroup, { minute, count: 1, surplus: undefined });
        pending.add(row);
      }
    },
    /** Adds the rows of further attempts in minutes before `current`, or in all. */
    endMinutes: (current: number | undefined): void => {
      for (const [group, { minute, surplus }] of addresses) {
        if (minute === current) continue;
        if (surplus !== undefined) pending.add(surplus);
        addresses.delete(group);
      }
    },
  };
}

/** A row for further attempts of the same address, which may be for any account. */
function surplusOf({ address, atMs }: Pending): Pending {
  const nothing = { accountId: undefined, method: undefined, provider: undefined, userAgent: undefined };
  return {
    ...nothing,
    id: newId(),
    atMs,
    result: 'Refused',
    reason: 'several',
    address,
    traceId: undefined,
    count: 0,
  };
}
