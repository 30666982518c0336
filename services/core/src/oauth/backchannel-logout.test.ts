import assert from 'node:assert/strict';
import { signLogouts } from './sign-logouts.ts';
import { query } from '@gatehouse/db';
import { claimsIn, startOAuthCore, type TestClient } from './testing.ts';
import { during } from '../testing/index.ts';

const LOGOUT_URI = 'https://app.example/logout';

describe('what tells applications of the end of a session', () => {
  const core = during(() => startOAuthCore());
  let client: TestClient;
  before(async () => {
    client = await core.newClient({ backchannelLogoutUri: LOGOUT_URI });
  });
  beforeEach(() => query(core.app.db, 'delete from hook_delivery'));

  /** Somebody who was signed in to clients, and whose session has ended. */
  const endedAt = async (...clients: TestClient[]) => {
    const who = await core.signIn();
    for (const one of clients) await core.open(one, who);
    await end(who.sessionId);
    return who;
  };
  const end = (id: string) =>
    query(core.app.db, 'update user_session set status = 4, ended_at = now() where id = ?', [id]);
  const sign = () => signLogouts({ ...core.app.service, clientTokens: core.clientTokens });
  const stored = () =>
    query<{ client_id: string; logout_token: string }>(
      core.app.db,
      'select * from hook_delivery order by id',
    );

  it('is recorded for each application that asks for it, once, with the end', async () => {
    const other = await core.newClient({ backchannelLogoutUri: LOGOUT_URI });
    const silent = await core.newClient();
    const unused = await core.newClient({ backchannelLogoutUri: LOGOUT_URI });
    const { sessionId } = await endedAt(client, client, other, silent);
    await end(sessionId);
    const told = (await stored()).map((row) => row.client_id);
    assert.deepEqual(told.toSorted(), [client.id, other.id].toSorted());
    assert.equal(told.includes(unused.id), false);
  });

  it('is a token about the session that has ended, for that application', async () => {
    const { id, sessionId } = await endedAt(client);
    assert.equal(await sign(), 1);
    const [row = assert.fail()] = await stored();
    const { aud, sub, sid } = claimsIn(row.logout_token);
    assert.deepEqual([aud, sub, sid], [client.id, id, sessionId]);
  });

  it('is signed anew when it has expired unsent, as long as access tokens can be valid', async () => {
    await endedAt(client);
    const age = (seconds: number) =>
      query(
        core.app.db,
        `update hook_delivery set token_expires_at = token_expires_at - make_interval(secs => :seconds),
           created_at = created_at - make_interval(secs => :seconds)`,
        { seconds },
      );
    assert.deepEqual([await sign(), await sign()], [1, 0]);
    const [first] = await stored();
    await age(121);
    assert.equal(await sign(), 1);
    const [second] = await stored();
    assert.notEqual(second?.logout_token, first?.logout_token);
    await age(core.app.settings.ACCESS_TOKEN_SECONDS);
    assert.equal(await sign(), 0);
  });

  it('is signed once by all processes together, and not for an application without an address', async () => {
    for (let count = 0; count < 3; count += 1) await endedAt(client);
    const signed = await Promise.all([sign(), sign(), sign()]);
    assert.equal(
      signed.reduce((sum, one) => sum + one),
      3,
    );
    await endedAt(client);
    await query(core.app.db, 'update oauth_client set backchannel_logout_uri = null where id = ?', [
      client.id,
    ]);
    assert.equal(await sign(), 0);
  });
});
