import assert from 'node:assert/strict';
import { newAccount, openTestAccounts, type TestAccounts } from '@gatehouse/accounts/testing';
import { inTransaction, query, ssoIdentities } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import type { SsoRules } from '../attempt/sso-rules.ts';
import { loginBySso } from '../attempt/sign-on.ts';
import { logoutByProvider } from './backchannel-logout.ts';

const ISSUER = 'https://login.example.com';

describe('a logout by the provider after its identity was unlinked', () => {
  let app: TestAccounts;
  before(async () => {
    app = await openTestAccounts({ SINGLE_SESSION: false });
  });
  after(() => app.stop());

  const origin = () => ({ traceId: newId().replaceAll('-', ''), dueAt: Infinity });
  const newOwner = async () => (await newAccount(app)).id;
  const link = (accountId: string, subject: string) =>
    inTransaction(app.db, NO_DEADLINE, (tx) =>
      ssoIdentities.insert(tx, { issuer: ISSUER, subject, provider: 'demo' }, accountId),
    );
  /** Signs a linked person on, and returns the session. */
  const signOn = async (
    subject: string,
    { provider = 'demo', sid }: { provider?: string; sid?: string } = {},
  ) => {
    const rules: SsoRules = {
      id: provider,
      trustEmail: false,
      allowedDomains: [],
      provisioning: 'off',
      trustSecondFactor: false,
      follow: [],
    };
    const authenticatedAtSeconds = Date.now() / 1000;
    const person = {
      issuer: ISSUER,
      subject,
      sid,
      email: undefined,
      isEmailVerified: false,
      authenticatedAtSeconds,
    };
    const login = await loginBySso(app, rules, { ...person, displayName: undefined }, origin());
    assert.ok(login.kind === 'opened');
    return login.sessionId;
  };
  const unlink = (accountId: string) =>
    inTransaction(app.db, NO_DEADLINE, async (tx) => {
      const [identity] = await ssoIdentities.findOfAccount(tx, accountId);
      assert.ok(identity && (await ssoIdentities.remove(tx, accountId, identity.number)));
    });
  /** Links an identity, signs on with it and unlinks it; the session is kept, as its owner unlinked it there. */
  const kept = async (accountId: string, subject: string, how: { sid?: string } = {}) => {
    assert.ok(await link(accountId, subject));
    const sessionId = await signOn(subject, how);
    await unlink(accountId);
    return sessionId;
  };
  const logOut = async (
    whom: { subject?: string; sid?: string },
    { provider = 'demo', issuer = ISSUER }: { provider?: string; issuer?: string } = {},
  ) => {
    const { subject, sid } = whom;
    const isOldAtSeconds = Math.floor(Date.now() / 1000) + 600;
    const logout = { provider, issuer, subject, sid, id: newId(), isOldAtSeconds };
    const outcome = await logoutByProvider(app, logout, origin());
    return outcome.kind === 'done' ? outcome.sessions : outcome.kind;
  };
  const isActive = async (sessionId: string): Promise<boolean> => {
    const sql = 'select 1 from user_session where id = ? and ended_at is null';
    return (await query(app.db, sql, [sessionId])).length === 1;
  };

  it('ends the session that its owner kept', async () => {
    const subject = newId();
    const session = await kept(await newOwner(), subject);
    assert.ok(await isActive(session));
    assert.equal(await logOut({ subject }), 1);
    assert.ok(!(await isActive(session)));
  });

  it('ends it by subject and sid, but not with the sid of another session', async () => {
    const [subject, sid] = [newId(), newId()];
    const session = await kept(await newOwner(), subject, { sid });
    assert.equal(await logOut({ subject, sid: newId() }), 0);
    assert.equal(await logOut({ subject: newId(), sid }), 0);
    assert.ok(await isActive(session));
    assert.equal(await logOut({ subject, sid }), 1);
    assert.ok(!(await isActive(session)));
  });

  it('ends the sessions of both accounts if the identity was then linked to another one', async () => {
    const subject = newId();
    const session = await kept(await newOwner(), subject);
    const next = await newOwner();
    assert.ok(await link(next, subject));
    const later = await signOn(subject);
    assert.equal(await logOut({ subject }), 2);
    assert.deepEqual([await isActive(session), await isActive(later)], [false, false]);
  });

  it('does not end it for the person whose identity replaced that one in the account', async () => {
    const [first, second, owner] = [newId(), newId(), await newOwner()];
    const session = await kept(owner, first);
    assert.ok(await link(owner, second));
    const later = await signOn(second);
    assert.equal(await logOut({ subject: second }), 1);
    assert.deepEqual([await isActive(session), await isActive(later)], [true, false]);
  });

  it('does not end it for the same subject of another issuer, or by another provider', async () => {
    const subject = newId();
    const session = await kept(await newOwner(), subject);
    assert.equal(await logOut({ subject }, { issuer: 'https://other.example.com' }), 0);
    assert.equal(await logOut({ subject }, { provider: 'other' }), 0);
    assert.ok(await isActive(session));
  });
});
