import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { clientSessions, inTransaction, query } from '@gatehouse/db';
import type { OAuthClientFields, Transaction } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { logIn, newAccount, newClient, openTestAccounts } from '@gatehouse/accounts/testing';
import { withdrawConsent } from './own-apps.ts';
import { findConsent, grantConsent } from './store.ts';

const CALLER = { address: '192.0.2.1', userAgent: 'tv/1' };
const BOUNDS = { graceSeconds: 30, idleSeconds: 600, grantIdleSeconds: 600, locked: 'wait' } as const;
const SCOPES = ['openid', 'email'];
const LOGIN = {
  authenticatedAt: 1_790_000_000,
  authenticatedBy: ['password' as const],
  endsAt: 4_000_000_000,
};

describe('a client session', () => {
  const app = during(() => openTestAccounts());

  const run = <T>(work: (tx: Transaction) => Promise<T>) => inTransaction(app.db, NO_DEADLINE, work);

  const open = async (fields: Partial<OAuthClientFields> = {}) => {
    const { id: accountId } = await newAccount(app);
    await query(app.db, `update account set groups = '{staff}' where id = ?`, [accountId]);
    const person = { accountId, sessionId: (await logIn(app, { id: accountId })).sessionId };
    const client = await newClient(app, { roles: ['User'], ...fields });
    const [refreshCurrent, refreshNext] = [randomBytes(16), randomBytes(16)];
    const asked = { ...person, ...LOGIN, clientId: client.id, scopes: SCOPES, resource: null, ...CALLER };
    const tokens = { ...asked, refreshCurrent, refreshNext };
    const add = () => run((tx) => clientSessions.insert(tx, { ...tokens, id: newId() }, BOUNDS));
    const opened = await add();
    const id = opened?.id ?? newId();
    const rotate = () => {
      const used = { id, clientId: client.id, nonce: refreshCurrent, fresh: randomBytes(16), ...CALLER };
      return run((tx) => clientSessions.rotate(tx, [used], BOUNDS));
    };
    const isLetIn = async () => (await clientSessions.findLetIn(app.db, { id, ...BOUNDS })) !== undefined;
    return { person, client, opened, add, rotate, isLetIn };
  };

  it('says of no guest that the email is verified', async () => {
    const { person, rotate } = await open({ roles: ['User', 'Guest'] });
    await query(app.db, `update account set role = 'Guest' where id = ?`, [person.accountId]);
    assert.equal((await rotate())[0]?.isEmailVerified, false);
  });

  for (const [what, sql] of [
    ['its session has ended', `update user_session set ended_at = now(), status = 4 where id = :sessionId`],
    ['its session has expired', `update user_session set expires_at = now() where id = :sessionId`],
    ['its account is disabled', `update account set is_disabled = true where id = :accountId`],
    ['its owner is in no group of the client', `update account set groups = '{}' where id = :accountId`],
    ['its owner has no role of the client', `update account set role = 'Guest' where id = :accountId`],
    ['its client was deleted', `delete from oauth_client where id = :clientId`],
    ['its client must ask for consent', `update oauth_client set is_trusted = false where id = :clientId`],
  ] as const)
    it(`gets nothing once ${what}`, async () => {
      const { person, client, add, rotate, isLetIn } = await open({ groups: ['staff', 'other'] });
      assert.ok(await isLetIn());
      await query(app.db, sql, { ...person, clientId: client.id });
      assert.deepEqual([await rotate(), await add(), await isLetIn()], [[], undefined, false]);
    });

  it('ends in parts of 5,000, and unreported where more than 10,000 end with their client', async () => {
    const { person, client } = await open();
    const add = `insert into client_session (id, client_id, account_id, scopes, refresh_current, refresh_next, ends_at)
      select gen_random_uuid(), ?, ?, '{}', '', '', now() from generate_series(1, 15001)`;
    await query(app.db, add, [client.id, person.accountId]);
    await clientSessions.deleteOver(app.service.db, BOUNDS);
    await query(app.db, 'delete from oauth_client where id = ?', [client.id]);
    const reported = `select 1 from audit where action = 'app.signed-out' and target_id = ?`;
    assert.equal(await query.count(app.db, reported, [client.id]), 5000);
  });

  it('needs consent to all its scopes, and ends for good when that is withdrawn', async () => {
    const { person, client, opened, add } = await open({ isTrusted: false });
    assert.equal(opened, undefined);
    const consent = { accountId: person.accountId, clientId: client.id };
    await run((tx) => grantConsent(tx, { ...consent, scopes: ['openid'] }));
    assert.equal(await add(), undefined);
    await run((tx) => grantConsent(tx, { ...consent, scopes: ['email'] }));
    assert.deepEqual((await findConsent(app.db, consent)).toSorted(), ['email', 'openid']);
    const added = await add();
    assert.ok(added);
    assert.equal(await run((tx) => withdrawConsent(tx, consent)), true);
    await run((tx) => grantConsent(tx, { ...consent, scopes: SCOPES }));
    assert.equal(await clientSessions.findLetIn(app.db, { id: added.id, ...BOUNDS }), undefined);
    const end = { id: added.id, clientId: client.id, reason: 'signed_out' } as const;
    assert.equal(await run((tx) => clientSessions.removeOfClient(tx, end)), undefined);
  });

  it('makes room for another after the twentieth of the same session and client', async () => {
    const { opened, add, isLetIn } = await open();
    for (let more = 1; more < 20; more += 1) await add();
    assert.ok(await isLetIn());
    assert.ok(opened);
    await add();
    assert.equal(await isLetIn(), false);
  });
});
