import assert from 'node:assert/strict';
import { logout } from '@gatehouse/accounts';
import { logIn, newAccount, openTestAccounts, type TestAccounts } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { SessionStatus } from '@gatehouse/schema';
import { changeSessions } from './bulk.ts';
import { ORDER } from './testing.ts';

const { ChatDisabled, Deactivated, Normal, SharedAccess } = SessionStatus;

interface Session {
  accountId: string;
  sessionId: string;
}

/** Ways to end a restricted session, and to come back. */
const ENDS: Record<string, (app: TestAccounts, session: Session) => Promise<unknown>> = {
  'another login': () => Promise.resolve(),
  'a logout': (app, session) => logout(app, session, ORDER.origin),
  'an administrator’s end of the session': (app, session) => change(app, session, Deactivated),
};

function change(app: TestAccounts, { accountId }: Pick<Session, 'accountId'>, status: SessionStatus) {
  return changeSessions(app, { kind: 'account', accountId }, { ...ORDER, status });
}

for (const SINGLE_SESSION of [true, false])
  describe(`a chat restriction, with SINGLE_SESSION=${SINGLE_SESSION}`, () => {
    const app = during(() => openTestAccounts({ SINGLE_SESSION }));

    const login = async (account: { id: string }): Promise<Session> => {
      const { sessionId } = await logIn(app, account);
      return { accountId: account.id, sessionId };
    };
    const restricted = async (role: 'User' | 'Guest' = 'User') => {
      const account = await newAccount(app, { role });
      const session = await login(account);
      assert.equal((await change(app, session, ChatDisabled)).Count, 1);
      return { account, session };
    };
    /** The status in the database, and the one that requests and pings see. */
    const statusOf = async ({ accountId, sessionId }: Session): Promise<number | undefined> => {
      const reading = await app.sessionCache.read(accountId, sessionId);
      const statement = 'select status from user_session where id = ?';
      const [row] = await query<{ status: number }>(app.db, statement, [sessionId]);
      assert.equal(reading?.session?.status, row?.status);
      return row?.status;
    };

    for (const [name, end] of Object.entries(ENDS))
      for (const role of ['User', 'Guest'] as const)
        it(`outlasts ${name} of a ${role}`, async () => {
          const { account, session } = await restricted(role);
          await end(app, session);
          assert.equal(await statusOf(await login(account)), ChatDisabled);
          assert.equal(await statusOf(await login(account)), ChatDisabled);
        });

    it('begins the history of the new session', async () => {
      const { account } = await restricted();
      const { sessionId } = await login(account);
      const events = 'select status, reason from session_event where session_id = ?';
      const expected = [{ status: ChatDisabled, reason: 'login' }];
      assert.deepEqual(await query(app.db, events, [sessionId]), expected);
    });

    it('ends when an administrator lifts it', async () => {
      for (const [role, status] of [
        ['User', Normal],
        ['Guest', SharedAccess],
      ] as const) {
        const { account, session } = await restricted(role);
        await ENDS['a logout']?.(app, session);
        const next = await login(account);
        await change(app, next, status);
        assert.equal(await statusOf(await login(account)), status);
        await logout(app, next, ORDER.origin);
        assert.equal(await statusOf(await login(account)), status);
      }
    });

    it('ends with the session if that runs out', async () => {
      const { account, session } = await restricted();
      const statement = `update user_session set last_seen_at = now() - interval '1 day',
        last_pinged_at = null where id = ?`;
      await query(app.db, statement, [session.sessionId]);
      assert.equal(await statusOf(await login(account)), Normal);
    });
  });
