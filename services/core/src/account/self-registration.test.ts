import assert from 'node:assert/strict';
import { createAccount } from '@gatehouse/accounts';
import { codeIn, readTables, someEmail } from '@gatehouse/accounts/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { registeredBody } from '../testing/registered-body.ts';
import { PASSWORD, startCore, type TestCore } from '../testing/index.ts';

describe('POST /account/register with self-registration disabled', () => {
  let open: TestCore;
  let core: TestCore;
  before(async () => {
    open = await startCore();
    core = await startCore({}, open, { selfRegistration: 'closed' });
  });
  after(async () => {
    await core.stop();
    await open.stop();
  });

  const register = (email: string, at = core) =>
    at.post('/account/register', { Email: email, Password: PASSWORD });
  const verify = async (email: string) =>
    core.post('/account/verify', { Email: email, Code: codeIn(await open.app.mailsTo(email)) });

  it('does nothing for an unknown email, with the same response', async () => {
    const tables = await readTables(open.app);
    const email = someEmail();
    const [unknown, again] = [await register(email), await register(email)];
    assert.deepEqual(await readTables(open.app), tables);
    assert.deepEqual(await open.app.mailsTo(email), []);
    const known = await register(await open.newAccount());
    for (const { status, body } of [unknown, again]) {
      assert.deepEqual([status, registeredBody(body)], [known.status, registeredBody(known.body)]);
    }
    assert.equal((await core.post('/account/login', { Username: email, Password: PASSWORD })).status, 404);
  });

  for (const isMigrated of [false, true]) {
    it(`completes an account that an administrator has made for its owner (${isMigrated ? 6 : 5})`, async () => {
      const email = someEmail();
      const overrides = { email, password: undefined, displayName: 'Ann', locale: undefined, isMigrated };
      const by = { actor: { kind: 'System' }, origin: { traceId: '0', ...NO_DEADLINE } } as const;
      await createAccount(open.app, { ...overrides, role: 'User' }, by);
      await register(email).expect(200);
      const reset = { Email: email, Code: codeIn(await open.app.mailsTo(email)), Password: PASSWORD };
      await core.post('/account/reset-password', reset).expect(200);
      await core.login(email);
    });
  }

  it('mails another code to an unverified account', async () => {
    const email = someEmail();
    await register(email, open).expect(200);
    await register(email).expect(200);
    assert.equal((await open.app.mailsTo(email)).length, 2);
    assert.equal((await verify(email)).status, 200);
    await core.login(email);
  });
});
