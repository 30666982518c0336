import assert from 'node:assert/strict';
import { openBySso, SIGN_ON_SECONDS } from '@gatehouse/accounts';
import { openTestAccounts, someEmail, type TestAccounts } from '@gatehouse/accounts/testing';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import type { SsoRules } from '../attempt/sso-rules.ts';
import { admitBySso, loginBySso } from '../attempt/sign-on.ts';
import { logoutByProvider } from './backchannel-logout.ts';

const RULES: SsoRules = {
  id: 'demo',
  trustEmail: true,
  allowedDomains: [],
  provisioning: 'jit',
  trustSecondFactor: false,
  follow: [],
};
const ISSUER = 'https://login.example.com';

describe('a logout by the provider during a sign-on', () => {
  let app: TestAccounts;
  before(async () => {
    app = await openTestAccounts();
  });
  after(() => app.stop());

  const origin = () => ({ traceId: newId().replaceAll('-', ''), dueAt: Infinity });
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  const signOn = async (subject: string, sid: string | undefined, beforeCommit?: () => Promise<void>) => {
    const person = {
      issuer: ISSUER,
      subject,
      sid,
      email: someEmail(),
      isEmailVerified: true,
      displayName: undefined,
      // The sign-on began ten seconds ago.
      expiresAtSeconds: nowSeconds() + SIGN_ON_SECONDS - 10,
    };
    if (beforeCommit === undefined) return loginBySso(app, RULES, person, origin());
    const admitted = await admitBySso(app, RULES, person, origin());
    if (admitted.kind === 'refused') return admitted;
    const use = () => beforeCommit().then(() => true);
    return openBySso(app, RULES, person, admitted.account, origin(), use);
  };
  const logOut = (whom: { subject: string | undefined; sid: string | undefined }) =>
    logoutByProvider(
      app,
      { provider: RULES.id, issuer: ISSUER, ...whom, id: newId(), isOldAtSeconds: nowSeconds() + 600 },
      origin(),
    );
  const activeOf = async (subject: string): Promise<number> => {
    const rows = await query(
      app.db,
      `select s.id from user_session s join sso_identity i on i.account_id = s.account_id
       where i.subject = ? and s.ended_at is null`,
      [subject],
    );
    return rows.length;
  };
  /** Waits until this number of transactions wait for a lock, or `other` is done. */
  const untilWaiting = (count: number, other: Promise<unknown>) =>
    Promise.race([
      other,
      eventually(async () => {
        const rows = await query(
          app.db,
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length >= count;
      }),
    ]);
  const pause = () => {
    let resolve: () => void = () => undefined;
    const promise = new Promise<void>((settle) => (resolve = settle));
    return { promise, resolve };
  };

  const CASES: [what: string, signedOn: { sid?: true }, loggedOut: { subject?: true; sid?: true }][] = [
    ['its session, by sid alone', { sid: true }, { sid: true }],
    ['its session', { sid: true }, { subject: true, sid: true }],
    ['a session of the person, whose sign-on has no sid', {}, { subject: true, sid: true }],
    ['the person', { sid: true }, { subject: true }],
  ];
  for (const [what, signedOn, loggedOut] of CASES) {
    it(`ends a session that is about to be committed: ${what}`, async () => {
      const [subject, sid] = [newId(), newId()];
      const [opened, go] = [pause(), pause()];
      const signingOn = signOn(subject, signedOn.sid && sid, async () => {
        opened.resolve();
        await go.promise;
      });
      await opened.promise;
      const loggingOut = logOut({ subject: loggedOut.subject && subject, sid: loggedOut.sid && sid });
      await untilWaiting(1, loggingOut);
      go.resolve();
      const [login, logout] = await Promise.all([signingOn, loggingOut]);
      assert.deepEqual([login.kind, logout], ['opened', { kind: 'done', sessions: 1 }]);
      assert.equal(await activeOf(subject), 0);
    });

    it(`opens no session while it is about to be committed: ${what}`, async () => {
      const [subject, sid] = [newId(), newId()];
      // Another session that the logout ends; its lock makes the logout wait.
      const first = loggedOut.subject ? subject : newId();
      const held = await signOn(first, loggedOut.sid && sid);
      assert.ok(held.kind === 'opened');
      const [locked, go] = [pause(), pause()];
      const holding = inTransaction(app.db, NO_DEADLINE, async (tx) => {
        await query(tx, 'select 1 from user_session where id = ? for update', [held.sessionId]);
        locked.resolve();
        await go.promise;
      });
      await locked.promise;
      const loggingOut = logOut({ subject: loggedOut.subject && subject, sid: loggedOut.sid && sid });
      await untilWaiting(1, loggingOut);
      const signingOn = signOn(subject, signedOn.sid && sid);
      await untilWaiting(2, signingOn);
      go.resolve();
      const [login] = await Promise.all([signingOn, loggingOut, holding]);
      assert.deepEqual(login, { kind: 'refused', reason: 'invalid_attempt', accountId: undefined });
      assert.equal(await activeOf(subject), 0);
    });
  }

  it('does not hold up sign-ons of other sessions and people', async () => {
    const [opened, go] = [pause(), pause()];
    const signingOn = signOn(newId(), newId(), async () => {
      opened.resolve();
      await go.promise;
    });
    await opened.promise;
    assert.equal((await signOn(newId(), newId())).kind, 'opened');
    assert.deepEqual(await logOut({ subject: undefined, sid: newId() }), { kind: 'done', sessions: 0 });
    go.resolve();
    assert.equal((await signingOn).kind, 'opened');
  });
});
