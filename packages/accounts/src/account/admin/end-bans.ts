import { audit, inTransaction, lapsedBans, outbox } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { withinSeconds } from '@gatehouse/runtime';
import type { AccountsDeps } from '../../deps.ts';

const ENDED_MAX = 500;

/**
 * Records that bans have ended by themselves, with an audit entry and an event for each. Logins do not wait for this:
 * `is_disabled_now` decides. Call it regularly, in any number of processes. Returns how many.
 */
export async function endBans({ db, relay }: Pick<AccountsDeps, 'db' | 'relay'>): Promise<number> {
  const ended = await inTransaction(db, withinSeconds(10), async (tx) => {
    const ids = await lapsedBans.end(tx, ENDED_MAX);
    const entries = ids.map((id) => ({
      action: 'account.changed' as const,
      actor: { kind: 'System' as const },
      target: { kind: 'Account' as const, id },
      details: { IsDisabled: false, DisabledUntil: null },
    }));
    await audit.append(tx, entries, undefined);
    await outbox.add(
      tx,
      ids.map((UserId) => newEvent('account.enabled', { UserId })),
    );
    return ids.length;
  });
  if (ended > 0) relay.wake();
  return ended;
}
