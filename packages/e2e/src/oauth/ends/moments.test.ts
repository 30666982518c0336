import assert from 'node:assert/strict';
import { query, type Transaction } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { LOGOUT_URI, prepare, startInstallation, WAYS, type Installation, type Who } from './ways.ts';
import { during } from '../../testing/during.ts';

type Client = Awaited<ReturnType<Installation['newClient']>>;

describe('the exchange of a code at the moment', function () {
  this.timeout(30_000);
  const at = during(() => startInstallation());

  const count = async (sql: string, bindings: unknown[] = []) =>
    (await query(at.app.db, sql, bindings as string[])).length;
  const waiting = () =>
    count(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

  /** Runs `first`, then `second`, each until it waits for a lock or is done, while the test holds a row. */
  const inOrder = async <A, B>(
    held: { sql: string; id: string },
    first: () => Promise<A>,
    second: () => Promise<B>,
  ): Promise<[A, B]> => {
    const holder: Transaction = (await at.app.db.transaction()) as Transaction;
    let done = 0;
    const begin = async <T>(work: () => Promise<T>, stopped: number): Promise<{ result: Promise<T> }> => {
      const result = work().finally(() => (done += 1));
      result.catch(() => {});
      await eventually(async () => done + (await waiting()) >= stopped);
      return { result };
    };
    try {
      assert.equal((await query(holder, `${held.sql} for update`, [held.id])).length, 1);
      const one = await begin(first, 1);
      const two = await begin(second, 2);
      await holder.rollback();
      return [await one.result, await two.result];
    } catch (error) {
      if (!holder.isCompleted()) await holder.rollback();
      throw error;
    }
  };

  const arrange = async (way: string) => {
    const { client: fields, asked = {} } = WAYS[way] ?? assert.fail();
    const client = await at.newClient({ backchannelLogoutUri: LOGOUT_URI, ...fields });
    const who = await at.signIn();
    if (!client.isTrusted) {
      const sql = `insert into oauth_consent (account_id, client_id, scopes) values (?, ?, '{openid,email,offline_access}')`;
      await query(at.app.db, sql, [who.id, client.id]);
    }
    const exchange = async () => at.token(client, await at.newCode(client, who, asked));
    return { client, who, asked, exchange };
  };
  type Answer = Awaited<ReturnType<Installation['token']>>;

  /** Nothing that was exchanged works, nothing is left that could work again, and the application was told. */
  const assertOver = async (who: Who, client: Client, answers: Answer[], isDeleted: boolean) => {
    for (const { status, body } of answers) {
      if (status !== 200) {
        assert.ok(status === 400 || (isDeleted && status === 401), `${status} ${JSON.stringify(body)}`);
        continue;
      }
      const token = at.bearer(body.access_token);
      await eventually(async () => (await at.http.get('/oauth/userinfo').set(token)).status === 401);
      assert.notEqual((await at.refresh(client, body.refresh_token)).status, 200);
    }
    const own = [who.sessionId, client.id];
    assert.equal(await count('select 1 from client_session where session_id = ? and client_id = ?', own), 0);
    const wasIn = answers.some(({ status }) => status === 200);
    const told = await count('select 1 from hook_delivery where session_id = ? and client_id = ?', own);
    assert.equal(told > 0, wasIn && !isDeleted, `told ${told} times`);
  };

  for (const [way, { end }] of Object.entries(WAYS)) {
    const isDeleted = way === 'the deletion of the application';

    it(`that comes before ${way} ends with it`, async () => {
      const { who, client, asked } = await arrange(way);
      const code = await at.newCode(client, who, asked);
      await prepare(at, who, way);
      const [answer] = await inOrder(
        { sql: 'select 1 from oauth_code where session_id = ?', id: who.sessionId },
        () => at.token(client, code),
        () => end(at, who, client),
      );
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      // A sweep does not wait, and comes again.
      if (way === 'its age') await end(at, who, client);
      await assertOver(who, client, [answer], isDeleted);
    });

    it(`that comes after ${way} gets nothing that lives`, async () => {
      const { who, client, asked, exchange } = await arrange(way);
      const earlier = await exchange();
      assert.equal(earlier.status, 200, JSON.stringify(earlier.body));
      const code = await at.newCode(client, who, asked);
      await prepare(at, who, way);
      const [, answer] = await inOrder(
        { sql: 'select 1 from client_session where session_id = ?', id: who.sessionId },
        () => end(at, who, client),
        () => at.token(client, code),
      );
      if (isDeleted) assert.equal(answer.body.error, 'invalid_client');
      await assertOver(who, client, [earlier, answer], isDeleted);
    });
  }
});
