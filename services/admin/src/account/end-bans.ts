import { write, type AccountsDeps } from '@gatehouse/accounts';
import { query } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';

const ENDED_MAX = 500;

/** Records bans that have ended by themselves, for which no login waits (`is_disabled_now`), and returns how many. */
export async function endBans(deps: AccountsDeps): Promise<number> {
  const author = { actor: { kind: 'System' }, target: { kind: 'Account', id: undefined } } as const;
  return write(deps, author, async (tx) => {
    const sql = `update account
      set is_disabled = false, disabled_until = null, disabled_reason = null, tells_reason = false
      where id = any(array(
        select id from account where disabled_until <= now() order by disabled_until limit ? for update skip locked))
      returning id`;
    const ended = await query<{ id: string }>(tx, sql, [ENDED_MAX]);
    for (const { id } of ended) {
      tx.audit('account.changed', { IsDisabled: false, DisabledUntil: null }, id);
      tx.event(newEvent('account.enabled', { UserId: id }));
    }
    return ended.length;
  });
}
