import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { claimsIn } from '../../../../../services/core/src/oauth/testing.ts';
import { during } from '../../testing/during.ts';
import { LOGOUT_URI, prepare, startInstallation, WAYS } from './ways.ts';

/** What ends one session, or some that somebody chose, and not what the account has besides. */
const OUTLIVED = new Set([
  'a logout',
  'a logout by an application',
  'its owner elsewhere',
  'another login',
  'its age',
  'its identity provider',
  'an administrator, by its id',
  'an administrator, as expired',
  'an administrator, in a list',
  'an administrator, by a filter',
]);

describe('a sign-in that has no session', () => {
  const at = during(() => startInstallation());

  for (const [way, { client: fields, asked = {}, end }] of Object.entries(WAYS)) {
    const isOutlived = OUTLIVED.has(way);

    it(`${isOutlived ? 'outlives' : 'ends with'} ${way}`, async () => {
      const client = await at.newClient({ grants: 'own', backchannelLogoutUri: LOGOUT_URI, ...fields });
      const who = await at.signIn();
      if (!client.isTrusted) {
        const sql = `insert into oauth_consent (account_id, client_id, scopes) values (?, ?, '{openid,email,offline_access}')`;
        await query(at.app.db, sql, [who.id, client.id]);
      }
      const tokens = await at.open(client, who, asked);
      const id = String(claimsIn(tokens.access_token)['sid']);
      await prepare(at, who, way);
      await end(at, who, client);
      const userinfo = async () =>
        (await at.http.get('/oauth/userinfo').set(at.bearer(tokens.access_token))).status;
      const rows = async (sql: string) => (await query(at.app.db, sql, [id])).length;
      const told = await rows('select 1 from hook_delivery where session_id = ?');
      const inFeed = await rows(`select 1 from session_event where session_id = ? and status = 4`);
      if (isOutlived) {
        assert.deepEqual([told, inFeed], [0, 0]);
        // With an API of its own, the token is of no use here.
        if (asked['resource'] === undefined) assert.equal(await userinfo(), 200);
        assert.equal((await at.refresh(client, tokens.refresh_token)).status, 200);
        return;
      }
      assert.deepEqual([told, inFeed], [way === 'the deletion of the application' ? 0 : 1, 1]);
      await eventually(async () => (await userinfo()) === 401 || asked['resource'] !== undefined, 1);
      assert.notEqual((await at.refresh(client, tokens.refresh_token)).status, 200);
    });
  }
});
