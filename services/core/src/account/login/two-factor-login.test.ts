import assert from 'node:assert/strict';
import { moveClock } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { accounts, query } from '@gatehouse/db';
import { PASSWORD, someAddress, startCore, type TestCore } from '../../testing/index.ts';
import { newOwner } from '../../testing/two-factor.ts';

const AUTHENTICATION_FAILED = { status: 404, code: 'authentication_failed' };

describe('POST /account/login with two-factor on', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
    moveClock(core.app, 0);
  });
  after(() => core.stop());

  const attempt = (body: object) => core.post('/account/login', body);
  const outcomeOf = async (body: object) => {
    const answer = await attempt(body);
    return { status: answer.status, code: (answer.body as { code?: string }).code };
  };

  it('requires a code, and returns tokens for it', async () => {
    const { phone, withPassword } = await newOwner(core);
    const { body } = await attempt(withPassword).expect(200);
    assert.deepEqual(Object.keys(body as object).toSorted(), [
      'LoginStatus',
      'SecondFactors',
      'TwoFactorToken',
    ]);
    assert.equal(body.LoginStatus, 2);
    assert.deepEqual(body.SecondFactors, ['Totp', 'RecoveryCode']);
    const tokens = await attempt({ TwoFactorToken: body.TwoFactorToken, TwoFactorCode: phone.nextCode() });
    assert.equal(tokens.status, 200);
    assert.deepEqual(Object.keys(tokens.body as object).toSorted(), [
      'ExpirationSeconds',
      'RefreshToken',
      'Token',
    ]);
    assert.equal(await core.pingWith(tokens.body.Token), 1);
    await core.post('/account/refresh-token', { RefreshToken: tokens.body.RefreshToken }).expect(200);
  });

  it('accepts the code in the first request', async () => {
    const { phone, withPassword } = await newOwner(core);
    await attempt({ ...withPassword, TwoFactorCode: phone.wrongCode() }).expect(404);
    const { body } = await attempt({ ...withPassword, TwoFactorCode: phone.nextCode() }).expect(200);
    assert.equal(await core.pingWith(body.Token), 1);
  });

  it('has the same response for a wrong password and a wrong code', async () => {
    const { phone, withPassword } = await newOwner(core);
    const bodies = await Promise.all(
      [
        { ...withPassword, Password: 'a wrong password', TwoFactorCode: phone.codeAt(1) },
        { ...withPassword, TwoFactorCode: phone.wrongCode() },
        ...['', 'AAAA', 'x'.repeat(1000)].map((code) => ({ ...withPassword, TwoFactorCode: code })),
      ].map(async (body) => ({ ...(await attempt(body)).body, traceId: undefined })),
    );
    for (const body of bodies) assert.deepEqual(body, bodies[0]);
    assert.equal(bodies[0]?.code, 'authentication_failed');
  });

  it('does not count a login with a missing or malformed code as failed', async () => {
    const { phone, withPassword } = await newOwner(core);
    const { body } = await attempt(withPassword).expect(200);
    const { TwoFactorToken } = body as { TwoFactorToken: string };
    const post = (given: object) => core.post('/account/login', given, { 'x-forwarded-for': someAddress() });
    for (const none of [null, true, 12, [], {}]) {
      for (const given of [{ TwoFactorToken }, withPassword]) {
        const refused = await post({ ...given, TwoFactorCode: none }).expect(400);
        assert.deepEqual(
          [refused.body.code, refused.body.errors[0].pointer],
          ['invalid_request', '/TwoFactorCode'],
        );
      }
    }
    await post({ TwoFactorToken }).expect(400);
    for (const none of ['', 'AAAA', '12345', '1234567', 'x'.repeat(65), 'UUUUU-UUUUU']) {
      for (const given of [{ TwoFactorToken }, withPassword]) {
        const refused = await post({ ...given, TwoFactorCode: none }).expect(404);
        assert.equal(refused.body.code, 'authentication_failed');
      }
    }
    await attempt({ TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(200);
  });

  it('allows the owner to log in with both factors from a known address, despite guesses from others', async () => {
    const { phone, withPassword } = await newOwner(core);
    const [home, elsewhere] = [someAddress(), someAddress()];
    const from = (address: string, body: object) =>
      core.post('/account/login', body, { 'x-forwarded-for': address });
    await from(home, { ...withPassword, TwoFactorCode: phone.nextCode() }).expect(200);
    for (let failure = 0; failure < 10; failure += 1) {
      await from(elsewhere, { ...withPassword, Password: 'a guess' }).expect(404);
    }
    await from(elsewhere, withPassword).expect(429);
    const { body } = await from(home, withPassword).expect(200);
    await from(home, { TwoFactorToken: body.TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(200);
  });

  it('accepts a code once, and none of an earlier step after it', async () => {
    const { phone, withPassword } = await newOwner(core);
    const earlier = phone.codeAt(1);
    const code = phone.codeAt(2);
    moveClock(core.app, 60_000);
    await attempt({ ...withPassword, TwoFactorCode: code }).expect(200);
    for (const TwoFactorCode of [code, earlier]) {
      assert.deepEqual(await outcomeOf({ ...withPassword, TwoFactorCode }), AUTHENTICATION_FAILED);
    }
    await attempt({ ...withPassword, TwoFactorCode: phone.codeAt(1) }).expect(200);
  });

  it('accepts codes one step early and one step late only', async () => {
    const { phone, withPassword } = await newOwner(core);
    moveClock(core.app, 300_000);
    for (const steps of [-2, 2]) {
      assert.deepEqual(
        await outcomeOf({ ...withPassword, TwoFactorCode: phone.codeAt(steps) }),
        AUTHENTICATION_FAILED,
      );
    }
    for (const steps of [-1, 0, 1]) {
      await attempt({ ...withPassword, TwoFactorCode: phone.codeAt(steps) }).expect(200);
    }
  });

  for (const [status, change] of [
    [3, 'is_disabled = true'],
    [4, 'email_verified_at = null'],
    [7, 'new_password_required = true'],
    [8, "expires_at = now() - interval '1 second'"],
  ] as const) {
    it(`returns status ${status} first, only for the right password; a token is then refused`, async () => {
      const { email, phone, withPassword, ask } = await newOwner(core);
      const TwoFactorToken = await ask();
      await query(core.app.db, `update account set ${change} where email = ?`, [email]);
      const { body } = await attempt(withPassword).expect(403);
      assert.equal(body.LoginStatus, status);
      await attempt({ ...withPassword, Password: 'a wrong password' }).expect(404);
      const refused = await attempt({ TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(403);
      assert.equal(refused.body.LoginStatus, status);
    });
  }

  it('rehashes an imported hash without invalidating the login token', async () => {
    const { email, phone } = await newOwner(core);
    // bcrypt of the plain password, as other systems store it.
    const hash = '$2y$04$4rl0W1m3R87qE4ZVvCOFZOPlerQmAjQec10vlN8bwtf0CVcksih1y';
    await query(
      core.app.db,
      `update account set password_hash = ?, password_scheme = 'raw' where email = ?`,
      [hash, email],
    );
    const { body } = await attempt({ Username: email, Password: 'imported from elsewhere' }).expect(200);
    await eventually(async () => {
      const account = await accounts.findByEmailKey(core.app.db, email);
      return account?.passwordScheme === 'peppered';
    });
    await attempt({ TwoFactorToken: body.TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(200);
  });

  it('keeps the device name of the first request', async () => {
    const { id, phone, withPassword } = await newOwner(core);
    const { body } = await attempt({ ...withPassword, DeviceName: 'Kitchen' }).expect(200);
    await attempt({ TwoFactorToken: body.TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(200);
    const rows = await query<{ name: string }>(
      core.app.db,
      'select device_name as name from user_session where account_id = ? and ended_at is null',
      [id],
    );
    assert.deepEqual(rows, [{ name: 'Kitchen' }]);
  });

  for (const [body, pointers] of [
    [{ TwoFactorToken: 'x' }, ['/TwoFactorCode']],
    [{ TwoFactorCode: '123456' }, ['/Username', '/Password']],
    [{ TwoFactorToken: 'x', TwoFactorCode: '123456', Password: PASSWORD }, ['/Password']],
    [
      { TwoFactorToken: 'x', Username: 'a@example.com', Password: PASSWORD },
      ['/TwoFactorCode', '/Username', '/Password'],
    ],
    [{ Username: 'a@example.com', TwoFactorCode: '123456' }, ['/Password']],
    [{ TwoFactorToken: 7, TwoFactorCode: '123456' }, ['/TwoFactorToken']],
  ] as const) {
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const answer = await attempt(body).expect(400);
      assert.equal(answer.body.code, 'invalid_request');
      const errors = answer.body.errors as { pointer: string }[];
      assert.deepEqual(
        errors.map(({ pointer }) => pointer),
        pointers,
      );
    });
  }
});
