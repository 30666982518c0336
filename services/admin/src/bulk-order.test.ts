import assert from 'node:assert/strict';
import { UNPROVEN_MAX } from '@gatehouse/accounts';
import { accountFixtures, newContent, openTestAccounts, readTables } from '@gatehouse/accounts/testing';
import type { TestAccounts } from '@gatehouse/accounts/testing';
import { inTransaction, query, type Transaction } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { SessionStatus } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { changeAccounts } from './account/bulk.ts';
import { changeMany } from './bulk-order.ts';
import { changeSessions } from './session/bulk.ts';
import { ORDER } from './session/testing.ts';

describe('a bulk change', () => {
  const app = during(() => openTestAccounts({ SINGLE_SESSION: false }));
  before(() => app.relay.stop());

  const newAccount = (role: 'User' | 'Guest' = 'User') => accountFixtures(app).newAccount({ role });
  const newSessions = async (Status?: SessionStatus) => {
    const { id } = await newAccount();
    const sessions = await Promise.all([1, 2].map(() => accountFixtures(app).login({ id })));
    if (Status !== undefined) await ofAccount(id, Status)(ORDER);
    return { id, sessionId: sessions[0]?.sessionId ?? '' };
  };
  const ofAccount = (accountId: string, status: SessionStatus) => (order: Change) =>
    changeSessions(app, { kind: 'account', accountId }, { ...order, status });
  /** A guest with two invitations that are pending. */
  const newGuest = async () => {
    const { id } = await newAccount('Guest');
    const pending = `update account set signup = 'invitation', password_hash = null,
      password_scheme = null where id = ?`;
    await query(app.db, pending, [id]);
    for (const contentId of [await newContent(app), await newContent(app)])
      await query(
        app.db,
        `insert into invitation (id, account_id, content_definition_id, token_hash, invited_email, expires_at)
         values (?, ?, ?, ?, '', now() + interval '1 day')`,
        [newId(), id, contentId, Buffer.from(newId())],
      );
    return id;
  };

  type Change = typeof ORDER | (Omit<typeof ORDER, 'isTrial'> & { isTrial: boolean });
  const changes: Record<string, () => Promise<(order: Change) => Promise<object>>> = {
    'of accounts': async () => {
      const { id } = await newSessions();
      return (order) => changeAccounts(app, { ids: [id] }, { isDisabled: true }, order);
    },
    'of one session': async () => {
      const { sessionId } = await newSessions();
      const target = { kind: 'session', sessionId } as const;
      return (order) => changeSessions(app, target, { ...order, status: SessionStatus.Deactivated });
    },
    'of an account’s sessions': async () => ofAccount((await newSessions()).id, SessionStatus.ChatDisabled),
    'of sessions that match': async () => {
      const filter = { userId: (await newSessions()).id };
      return (order) => changeSessions(app, { kind: 'filter', filter }, { ...order, status: 7 });
    },
    'that makes sessions active again': async () => {
      const { id: userId } = await newSessions(SessionStatus.Deactivated);
      const filter = { userId, status: SessionStatus.Deactivated };
      return (order) => changeSessions(app, { kind: 'filter', filter }, { ...order, status: 1 });
    },
    'that deletes a guest’s invitations': async () =>
      ofAccount(await newGuest(), SessionStatus.DeletedInvite),
    'that restores a guest’s invitations': async () => {
      const id = await newGuest();
      await ofAccount(id, SessionStatus.DeletedInvite)(ORDER);
      return ofAccount(id, SessionStatus.PendingInvite);
    },
  };

  for (const [name, prepare] of Object.entries(changes))
    it(`${name} has a dry run that waits for nobody, writes nothing, and says what it then does`, async () => {
      const change = await prepare();
      const before = await readTables(app);
      const trial = await whileAllIsLocked(app, () => change({ ...ORDER, isTrial: true }));
      assert.deepEqual(await readTables(app), before);
      assert.deepEqual(withoutTimes(await change(ORDER)), withoutTimes(trial));
      assert.notDeepEqual(await readTables(app), before);
    });

  it('requires a fresh proof of identity if it is large or sensitive', async () => {
    const person = { kind: 'Account', id: newId() } as const;
    const token = { kind: 'ApiToken', id: newId() } as const;
    for (const [actor, isUnproven, count, isSensitive, isRefused] of [
      [person, true, UNPROVEN_MAX, false, false],
      [person, true, UNPROVEN_MAX + 1, false, true],
      [person, true, 1, true, true],
      [person, false, UNPROVEN_MAX + 1, true, false],
      [token, true, UNPROVEN_MAX + 1, false, false],
      [token, true, 1, true, true],
    ] as const) {
      let made = 0;
      const attempt = (isTrial: boolean) =>
        changeMany(app, { ...ORDER, actor, isUnproven, isTrial }, 'UserSession', {
          plan: () => Promise.resolve('plan'),
          extent: () => ({ count, isSensitive }),
          make: () => Promise.resolve((made += 1)),
        });
      if (isRefused) await assert.rejects(attempt(false), { code: 'confirmation_required' });
      assert.equal(made, 0);
      // What lacks a fresh proof can be tried out.
      assert.deepEqual(await attempt(true), { plan: 'plan', made: undefined });
      if (!isRefused) assert.deepEqual(await attempt(false), { plan: 'plan', made: 1 });
    }
  });
});

/** Runs `work` while another transaction has locked every row that a bulk change could lock. */
async function whileAllIsLocked<T>(app: TestAccounts, work: () => Promise<T>): Promise<T> {
  return await inTransaction(app.db, NO_DEADLINE, async (tx: Transaction) => {
    for (const table of ['account', 'user_session', 'invitation', 'content_definition'])
      await query(tx, `select id from ${table} for update`);
    return work();
  });
}

/** An outcome without what depends on the time of the call. */
function withoutTimes(outcome: object): unknown {
  return JSON.parse(
    JSON.stringify(outcome, (name, value: unknown) =>
      ['EndedAt', 'LastSeenAt', 'ExpiresAt', 'IsOnline'].includes(name) ? undefined : value,
    ),
  );
}
