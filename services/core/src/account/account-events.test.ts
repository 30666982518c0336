import assert from 'node:assert/strict';
import { changeAccount, createAccount } from '@gatehouse/accounts';
import { codeIn, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { PASSWORD, startCore, type TestCore } from '../testing/index.ts';

const OTHER = 'another password than that';

describe('events for registration, verification and password reset', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
    // Unpublished events stay in the outbox, where the tests read them.
    await core.app.relay.stop();
  });
  after(() => core.stop());

  const by = { actor: { kind: 'System' }, origin: { traceId: '0', dueAt: Infinity } } as const;
  const idOf = async (email: string): Promise<string> => {
    const [row] = await query<{ id: string }>(core.app.db, 'select id from account where email = ?', [email]);
    return row?.id ?? assert.fail('there is no such account');
  };
  const eventsOf = async (id: string) => {
    const rows = await query<{ data: object }>(
      core.app.db,
      `select event -> 'data' as data from outbox
       where type = 'account.updated' and event -> 'data' ->> 'UserId' = ? order by id`,
      [id],
    );
    return rows.map(({ data }) => data);
  };
  const register = (Email: string, more: object = {}) =>
    core.post('/account/register', { Email, Password: PASSWORD, ...more }).expect(200);

  it('contain the name that the owner of a pending account completes it with', async () => {
    const email = someEmail();
    const wish = { email, displayName: 'Ann', locale: undefined, role: 'User', isMigrated: false } as const;
    await createAccount(core.app, { ...wish, password: undefined }, by);
    const UserId = await idOf(email);
    assert.deepEqual(await eventsOf(UserId), []);
    await register(email, { DisplayName: 'A Stranger', Locale: 'de' });
    assert.deepEqual(await eventsOf(UserId), []);
    const completion = { Email: email, Code: codeIn(await core.app.mailsTo(email)), Password: PASSWORD };
    await core.post('/account/reset-password', { ...completion, DisplayName: 'Ann Other' }).expect(200);
    assert.deepEqual(await eventsOf(UserId), [{ UserId, Changed: ['DisplayName'], ChangedBy: UserId }]);
  });

  it('report that a contested account has no name any more, and needs a password', async () => {
    const email = someEmail();
    await register(email, { DisplayName: 'Ann', Locale: 'de' });
    const UserId = await idOf(email);
    await register(email, { Password: OTHER });
    const contested = { UserId, Changed: ['DisplayName', 'Locale'] };
    assert.deepEqual(await eventsOf(UserId), [contested]);
    await core
      .post('/account/verify', { Email: email, Code: codeIn(await core.app.mailsTo(email)) })
      .expect(200);
    const verified = { UserId, Changed: ['NewPasswordRequired'], ChangedBy: UserId };
    assert.deepEqual(await eventsOf(UserId), [contested, verified]);
    const reset = { Email: email, Code: await core.forget(email), Password: PASSWORD };
    await core.post('/account/reset-password', reset).expect(200);
    assert.deepEqual(await eventsOf(UserId), [contested, verified, verified]);
  });

  it('report once that a new password is no longer required', async () => {
    const email = await core.newAccount();
    const UserId = await idOf(email);
    await changeAccount(core.app, UserId, { isNewPasswordRequired: true }, by);
    for (const Password of [OTHER, PASSWORD]) {
      const reset = { Email: email, Code: await core.forget(email), Password };
      await core.post('/account/reset-password', reset).expect(200);
    }
    const required = { UserId, Changed: ['NewPasswordRequired'] };
    assert.deepEqual(await eventsOf(UserId), [required, { ...required, ChangedBy: UserId }]);
  });
});
