import assert from 'node:assert/strict';
import { authenticator, moveClock } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { PASSWORD, startCore, type TestCore } from '../../testing/index.ts';

describe('POST /account/login with required two-factor', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore({ TWO_FACTOR_ISSUER: 'Gate house' });
    moveClock(core.app, 0);
  });
  after(() => core.stop());

  const attempt = (body: object) => core.post('/account/login', body);
  interface Asked {
    LoginStatus: number;
    TwoFactorToken: string;
    TwoFactorSetup: { Secret: string; OtpAuthUri: string };
  }
  const newAccountWithoutFactor = async () => {
    const email = await core.newAccount();
    await query(core.app.db, 'update account set two_factor_required = true where email = ?', [email]);
    const withPassword = { Username: email, Password: PASSWORD };
    const ask = async () => {
      const body = (await attempt(withPassword).expect(200)).body as Asked;
      const phone = authenticator(core.app, body.TwoFactorSetup.Secret);
      return { body, phone, TwoFactorToken: body.TwoFactorToken };
    };
    return { email, withPassword, ask };
  };

  it('ends the sessions that were opened without it, if several may be open', async () => {
    const many = await startCore({ SINGLE_SESSION: false }, core);
    try {
      const email = await core.newAccount();
      const { Token } = await many.login(email);
      await query(core.app.db, 'update account set two_factor_required = true where email = ?', [email]);
      const { body } = await many.post('/account/login', { Username: email, Password: PASSWORD }).expect(200);
      const { TwoFactorToken, TwoFactorSetup } = body as Asked;
      assert.equal(await many.pingWith(Token), 1);
      const TwoFactorCode = authenticator(core.app, TwoFactorSetup.Secret).nextCode();
      const done = await many.post('/account/login', { TwoFactorToken, TwoFactorCode }).expect(200);
      assert.equal(await many.pingWith(Token), 4);
      assert.equal(await many.pingWith(done.body.Token), 1);
    } finally {
      await many.stop();
    }
  });

  it('sets it up, returns recovery codes once, and requires a code from then on', async () => {
    const { email, withPassword, ask } = await newAccountWithoutFactor();
    const { body, phone, TwoFactorToken } = await ask();
    assert.deepEqual(Object.keys(body).toSorted(), ['LoginStatus', 'TwoFactorSetup', 'TwoFactorToken']);
    assert.equal(body.LoginStatus, 1);
    const uri = new URL(body.TwoFactorSetup.OtpAuthUri);
    assert.equal(decodeURIComponent(uri.pathname), `/Gate house:${email}`);
    assert.equal(uri.searchParams.get('secret'), body.TwoFactorSetup.Secret);

    await attempt({ TwoFactorToken, TwoFactorCode: phone.wrongCode() }).expect(404);
    const code = phone.nextCode();
    const done = await attempt({ TwoFactorToken, TwoFactorCode: code }).expect(200);
    const codes = done.body.RecoveryCodes as string[];
    assert.equal(new Set(codes).size, 10);
    for (const one of codes) assert.match(one, /^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
    assert.equal(await core.pingWith(done.body.Token), 1);
    await core.post('/account/refresh-token', { RefreshToken: done.body.RefreshToken }).expect(200);
    assert.equal(
      (await core.app.mailsTo(email)).filter(({ type }) => type === 'account.two-factor-enabled').length,
      1,
    );

    assert.equal((await attempt(withPassword).expect(200)).body.LoginStatus, 2);
    await attempt({ ...withPassword, TwoFactorCode: code }).expect(404);
    const next = await attempt({ ...withPassword, TwoFactorCode: phone.nextCode() }).expect(200);
    assert.equal('RecoveryCodes' in next.body, false);
    await attempt({ ...withPassword, TwoFactorCode: codes[9] }).expect(200);
  });

  it('opens no session for the password and any code before it is set up', async () => {
    const { withPassword } = await newAccountWithoutFactor();
    const { body } = await attempt({ ...withPassword, TwoFactorCode: '123456' }).expect(200);
    assert.equal(body.LoginStatus, 1);
  });

  it('gives each login its own secret, and allows one of them to set it up', async () => {
    const { ask } = await newAccountWithoutFactor();
    const [first, second] = [await ask(), await ask()];
    assert.notEqual(first.body.TwoFactorSetup.Secret, second.body.TwoFactorSetup.Secret);
    const { TwoFactorToken } = first;
    await attempt({ TwoFactorToken, TwoFactorCode: second.phone.nextCode() }).expect(404);
    const answers = await Promise.all(
      [first, second, first, second].map(({ phone, TwoFactorToken: token }) =>
        attempt({ TwoFactorToken: token, TwoFactorCode: phone.codeAt() }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 404, 404, 404],
    );
  });

  it('keeps secrets, codes and tokens out of the log, and encrypts or hashes them in the database', async () => {
    const { ask, withPassword } = await newAccountWithoutFactor();
    const { body, phone, TwoFactorToken } = await ask();
    const TwoFactorCode = phone.nextCode();
    const done = await attempt({ TwoFactorToken, TwoFactorCode }).expect(200);
    const [recoveryCode] = done.body.RecoveryCodes as string[];
    await attempt({ ...withPassword, TwoFactorCode: recoveryCode }).expect(200);
    await attempt(withPassword).expect(200);
    const rows = await query<{ text: string }>(
      core.app.db,
      `select concat((select json_agg(t) from two_factor t), (select json_agg(t) from recovery_code t),
         (select json_agg(t) from two_factor_challenge t), (select json_agg(t) from outbox t)) as text`,
    );
    const { Secret } = body.TwoFactorSetup;
    const bytes = phone.secret.toString('hex');
    for (const text of [JSON.stringify(core.app.lines), rows[0]?.text ?? '']) {
      for (const secret of [
        Secret,
        bytes,
        TwoFactorToken,
        recoveryCode ?? '',
        recoveryCode?.replace('-', '') ?? '',
      ]) {
        assert.equal(text.includes(secret), false);
      }
    }
  });
});
