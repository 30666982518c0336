import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { duringEach, eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { forgetHooks } from './record-hook.ts';
import { startHookRig } from './testing/index.ts';

describe('the hook worker tells an application of the end of a session', () => {
  const rig = duringEach(startHookRig);
  let clientId: string;
  beforeEach(async () => {
    clientId = newId();
    const sql = `insert into oauth_client (id, name, is_public, redirect_uris, backchannel_logout_uri, scopes, grant_types, roles)
       values (?, 'App', true, '{}', ?, '{openid}', '{authorization_code}', '{User}')`;
    await query(rig.db, sql, [clientId, `${rig.receiver.url}/logout`]);
  });

  /** An end of a session as Core has signed it. */
  const newLogout = async (
    changes: { token?: string | null; validSeconds?: number; leftSeconds?: number } = {},
  ) => {
    const given = { token: 'a.logout.token', validSeconds: 120, leftSeconds: 3600, ...changes };
    const id = newId();
    const sql = `insert into hook_delivery (
         id, event_id, client_id, account_id, session_id, type, logout_token, token_expires_at, gives_up_at)
       values (:id, :id, :clientId, :id, :id, 'session.ended', :token, now() + make_interval(secs => :validSeconds),
         now() + make_interval(secs => :leftSeconds))`;
    await query(rig.db, sql, { id, clientId, ...given });
    return id;
  };
  const becomes = async (id: string, status: string) => (await rig.hasStatus(id, status))[0] ?? assert.fail();

  it('by the form that the specification asks for', async () => {
    await rig.startWorker();
    await becomes(await newLogout(), 'Sent');
    const [{ path, headers, body } = assert.fail()] = rig.receiver.received;
    assert.deepEqual([path, body], ['/logout', 'logout_token=a.logout.token']);
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded');
    assert.equal(headers['webhook-signature'], undefined);
  });

  it('only with a token that stays valid while it is sent, and after Core has signed one', async () => {
    await rig.startWorker();
    const unsigned = await newLogout({ token: null });
    await query(rig.db, 'update hook_delivery set token_expires_at = null where id = ?', [unsigned]);
    await newLogout({ validSeconds: 14 });
    const valid = await newLogout({ token: 'valid' });
    await becomes(valid, 'Sent');
    assert.deepEqual(fieldsOf(rig.receiver.received, 'body'), ['logout_token=valid']);
    const sql = `update hook_delivery set logout_token = 'later', token_expires_at = now() + interval '2 minutes' where id = ?`;
    await query(rig.db, sql, [unsigned]);
    await becomes(unsigned, 'Sent');
  });

  it('again while that is of use, and never disables it', async () => {
    rig.answers(503);
    await rig.startWorker();
    const id = await newLogout();
    const row = await becomes(id, 'Retrying');
    assert.deepEqual([row['status_code'], row['last_error']], [503, 'status']);
    rig.answers(410);
    await query(rig.db, 'update hook_delivery set next_try_at = now() where id = ?', [id]);
    assert.equal((await becomes(id, 'Parked'))['last_error'], 'gone');
    rig.answers(500);
    await becomes(await newLogout({ leftSeconds: 3 }), 'Parked');
    rig.answers(200);
    await becomes(await newLogout(), 'Sent');
  });

  it('four at once, while a webhook waits for none of them', async () => {
    await rig.newWebhook({ path: '/hook' });
    const open: (() => void)[] = [];
    rig.receiver.answer = ({ path }, response) => {
      if (path === '/logout') open.push(() => response.end());
      else response.end();
    };
    await rig.startWorker();
    const ids = [];
    for (let count = 0; count < 6; count += 1) ids.push(await newLogout());
    await eventually(() => open.length === 4);
    const event = await rig.publish();
    await becomes(event.id, 'Sent');
    assert.equal(open.length, 4);
    for (const end of open.splice(0)) end();
    await eventually(() => open.length === 2);
    for (const end of open) end();
    for (const id of ids) await becomes(id, 'Sent');
  });

  it('or forgets it if no worker ran for a day', async () => {
    const [late, waiting] = [await newLogout({ validSeconds: -9 }), await newLogout({ validSeconds: -9 })];
    const age = "update hook_delivery set next_try_at = now() - interval '25 hours' where id = ?";
    await query(rig.db, age, [late]);
    await forgetHooks(rig.own, 30);
    assert.deepEqual([(await rig.deliveries(late)).length, (await rig.deliveries(waiting)).length], [0, 1]);
  });
});
