import assert from 'node:assert/strict';
import { authenticator, moveClock, statusesOf } from '@gatehouse/accounts/testing';
import { atOnce, cast, problem, type Person } from '../../testing/cast.ts';
import { PASSWORD } from '../../testing/index.ts';
import { send } from '../../testing/passkeys.ts';
import { newOwner } from '../../testing/two-factor.ts';

const TOKENS = ['Token', 'RefreshToken', 'ExpirationSeconds'];

describe('POST /account/login with two-factor on', () => {
  const { core } = cast({});
  before(() => moveClock(core().app, 0));

  const owner = () => newOwner(core());
  const attempt = (body: object) => send(core(), body);
  const isRefused = (body: object) => attempt(body).expect(problem('authentication_failed'));
  const keysOf = (body: unknown) => Object.keys(body as object);

  it('requires a code, in the first request or in a second one, and returns tokens for it and the device of the first', async () => {
    const { id, phone, withPassword } = await owner();
    const { body } = await attempt({ ...withPassword, DeviceName: 'Kitchen' }).expect(200);
    const { TwoFactorToken, ...rest } = body;
    assert.deepEqual(rest, { LoginStatus: 2, SecondFactors: ['Totp', 'RecoveryCode'] });
    const tokens = await attempt({ TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(200);
    assert.deepEqual(keysOf(tokens.body), TOKENS);
    const sql = 'select device_name as name from user_session where account_id = ? and ended_at is null';
    assert.deepEqual(await core().sql(sql, [id]), [{ name: 'Kitchen' }]);
    assert.equal(await core().pingWith(tokens.body.Token), 1);
    await core().post('/account/refresh-token', { RefreshToken: tokens.body.RefreshToken }).expect(200);
    await isRefused({ TwoFactorToken, TwoFactorCode: phone.nextCode() });
    await isRefused({ ...withPassword, TwoFactorCode: phone.wrongCode() });
    await attempt({ ...withPassword, TwoFactorCode: phone.nextCode() }).expect(200);
  });

  it('has the same response for a wrong password and a wrong code', async () => {
    const { phone, withPassword } = await owner();
    const bodies = await Promise.all(
      [
        { ...withPassword, Password: 'a wrong password', TwoFactorCode: phone.codeAt(1) },
        { ...withPassword, TwoFactorCode: phone.wrongCode() },
        { ...withPassword, TwoFactorCode: 'AAAA' },
      ].map(async (body) => ({ ...(await attempt(body)).body, traceId: undefined })),
    );
    for (const body of bodies) assert.deepEqual(body, bodies[0]);
    assert.equal(bodies[0]?.code, 'authentication_failed');
  });

  it('accepts a code once, and none of an earlier step after it', async () => {
    const { phone, withPassword } = await owner();
    const [earlier, code] = [phone.codeAt(1), phone.codeAt(2)];
    moveClock(core().app, 60_000);
    await attempt({ ...withPassword, TwoFactorCode: code }).expect(200);
    for (const TwoFactorCode of [code, earlier]) await isRefused({ ...withPassword, TwoFactorCode });
    await attempt({ ...withPassword, TwoFactorCode: phone.codeAt(1) }).expect(200);
  });

  it('says the account’s condition first, only for the right password; a token is then refused', async () => {
    const { email, phone, withPassword, ask } = await owner();
    const TwoFactorToken = await ask();
    await core().sql('update account set is_disabled = true where email = ?', [email]);
    assert.equal((await attempt(withPassword).expect(403)).body.LoginStatus, 3);
    await isRefused({ ...withPassword, Password: 'a wrong password' });
    const refused = await attempt({ TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(403);
    assert.equal(refused.body.LoginStatus, 3);
  });

  it('does not use up a code when its login fails', async () => {
    const { ask, recoveryCode, withPassword } = await owner();
    const TwoFactorToken = await ask();
    const answers = await atOnce(2, (index) =>
      attempt({ TwoFactorToken, TwoFactorCode: recoveryCode(index) }),
    );
    assert.deepEqual(statusesOf(answers), [200, 404]);
    const loser = answers.findIndex(({ status }) => status !== 200);
    await attempt({ ...withPassword, TwoFactorCode: recoveryCode(loser) }).expect(200);
  });

  it('opens one session for ten concurrent uses of a code', async () => {
    const { phone, withPassword, ask } = await owner();
    const tokens = await atOnce(5, ask);
    const TwoFactorCode = phone.nextCode();
    const asked = [
      ...tokens.map((TwoFactorToken) => ({ TwoFactorToken })),
      ...Array<object>(4).fill(withPassword),
    ];
    const answers = await Promise.all(asked.map((body) => attempt({ ...body, TwoFactorCode })));
    assert.deepEqual(statusesOf(answers), [200, ...Array<number>(8).fill(404)]);
  });

  it('opens one session for five concurrent uses of a recovery code, and notifies the owner', async () => {
    const { email, phone, withPassword, recoveryCode } = await owner();
    const TwoFactorCode = recoveryCode().toLowerCase().replace('-', ' ');
    const answers = await atOnce(5, () => attempt({ ...withPassword, TwoFactorCode }));
    assert.deepEqual(statusesOf(answers), [200, 404, 404, 404, 404]);
    await isRefused({ ...withPassword, TwoFactorCode });
    const mails = (await core().app.mailsTo(email)).map(({ type }) => type);
    assert.equal(mails.filter((type) => type === 'account.recovery-code-used').length, 1);
    await attempt({ ...withPassword, TwoFactorCode: recoveryCode(1) }).expect(200);
    await attempt({ ...withPassword, TwoFactorCode: phone.nextCode() }).expect(200);
  });

  describe('has a token between password and code that', () => {
    it('takes five codes', async () => {
      const { phone, ask } = await owner();
      const TwoFactorToken = await ask();
      for (let wrong = 0; wrong < 5; wrong += 1)
        await isRefused({ TwoFactorToken, TwoFactorCode: phone.wrongCode() });
      await isRefused({ TwoFactorToken, TwoFactorCode: phone.nextCode() });
    });

    it('works for five minutes', async () => {
      const { id, phone, ask } = await owner();
      const TwoFactorToken = await ask();
      const move = (seconds: number) => {
        const sql = `update two_factor_challenge set expires_at = expires_at - make_interval(secs => ?) where account_id = ?`;
        return core().sql(sql, [seconds, id]);
      };
      await move(290);
      await isRefused({ TwoFactorToken, TwoFactorCode: phone.wrongCode() });
      const left = 'select tries_left as tries from two_factor_challenge where account_id = ?';
      assert.deepEqual(await core().sql(left, [id]), [{ tries: 4 }]);
      await move(11);
      await isRefused({ TwoFactorToken, TwoFactorCode: phone.nextCode() });
    });

    it('takes no code of another account', async () => {
      const [ann, bob] = [await owner(), await owner()];
      const TwoFactorToken = await ann.ask();
      for (const TwoFactorCode of [bob.phone.nextCode(), bob.phone.codeAt(), bob.recoveryCode()])
        await isRefused({ TwoFactorToken, TwoFactorCode });
    });
  });
});

describe('POST /account/login with required two-factor', () => {
  const { core, another, member } = cast({ TWO_FACTOR_ISSUER: 'Gate house' });
  before(() => moveClock(core().app, 0));

  interface Asked {
    LoginStatus: number;
    TwoFactorToken: string;
    TwoFactorSetup: { Secret: string; OtpAuthUri: string };
  }
  const attempt = (ann: Person, body: object) => ann.post('/account/login', body);
  const memberWithoutFactor = async () => {
    const ann = await member();
    await ann.set('two_factor_required = true');
    return ann;
  };
  const asks = async (ann: Person) => {
    const body = (await ann.logsIn().expect(200)).body as Asked;
    const phone = authenticator(core().app, body.TwoFactorSetup.Secret);
    return { body, phone, TwoFactorToken: body.TwoFactorToken };
  };

  it('ends the sessions that were opened without it, if several may be open', async () => {
    const ann = (await member()).at(await another({ SINGLE_SESSION: false }));
    const session = await ann.session();
    await ann.set('two_factor_required = true');
    const { phone, TwoFactorToken } = await asks(ann);
    assert.equal(await session.pings(), 1);
    const done = await attempt(ann, { TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(200);
    assert.deepEqual([await session.pings(), await core().pingWith(done.body.Token)], [4, 1]);
  });

  it('sets it up, returns recovery codes once, and requires a code from then on', async () => {
    const ann = await memberWithoutFactor();
    // Before that, no code is one.
    assert.equal((await ann.logsIn(PASSWORD, { TwoFactorCode: '123456' }).expect(200)).body.LoginStatus, 1);
    const { body, phone, TwoFactorToken } = await asks(ann);
    assert.deepEqual(Object.keys(body).toSorted(), ['LoginStatus', 'TwoFactorSetup', 'TwoFactorToken']);
    const uri = new URL(body.TwoFactorSetup.OtpAuthUri);
    assert.equal(decodeURIComponent(uri.pathname), `/Gate house:${ann.email}`);
    assert.equal(uri.searchParams.get('secret'), body.TwoFactorSetup.Secret);

    await attempt(ann, { TwoFactorToken, TwoFactorCode: phone.wrongCode() }).expect(404);
    const TwoFactorCode = phone.nextCode();
    const done = await attempt(ann, { TwoFactorToken, TwoFactorCode }).expect(200);
    const codes = done.body.RecoveryCodes as string[];
    assert.equal(new Set(codes).size, 10);
    for (const one of codes) assert.match(one, /^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
    assert.equal(await core().pingWith(done.body.Token), 1);
    await ann.post('/account/refresh-token', { RefreshToken: done.body.RefreshToken }).expect(200);
    assert.deepEqual(await ann.mailTypes(), ['account.two-factor-enabled']);

    assert.equal((await ann.logsIn().expect(200)).body.LoginStatus, 2);
    await ann.logsIn(PASSWORD, { TwoFactorCode }).expect(404);
    const next = await ann.logsIn(PASSWORD, { TwoFactorCode: phone.nextCode() }).expect(200);
    assert.equal('RecoveryCodes' in next.body, false);
    await ann.logsIn(PASSWORD, { TwoFactorCode: codes[9] }).expect(200);
  });

  it('gives each login its own secret, and allows one of them to set it up', async () => {
    const ann = await memberWithoutFactor();
    const [first, second] = [await asks(ann), await asks(ann)];
    assert.notEqual(first.body.TwoFactorSetup.Secret, second.body.TwoFactorSetup.Secret);
    const { TwoFactorToken } = first;
    await attempt(ann, { TwoFactorToken, TwoFactorCode: second.phone.nextCode() }).expect(404);
    const both = [first, second, first, second].map(({ phone, ...one }) => ({
      ...one,
      code: phone.codeAt(),
    }));
    const answers = await Promise.all(
      both.map((one) => attempt(ann, { TwoFactorToken: one.TwoFactorToken, TwoFactorCode: one.code })),
    );
    assert.deepEqual(statusesOf(answers), [200, 404, 404, 404]);
  });

  it('keeps secrets, codes and tokens out of the log, and encrypts or hashes them in the database', async () => {
    const ann = await memberWithoutFactor();
    const { body, phone, TwoFactorToken } = await asks(ann);
    const done = await attempt(ann, { TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(200);
    const [recoveryCode = ''] = done.body.RecoveryCodes as string[];
    await ann.logsIn(PASSWORD, { TwoFactorCode: recoveryCode }).expect(200);
    await ann.logsIn().expect(200);
    const sql = `select concat((select json_agg(t) from two_factor t), (select json_agg(t) from recovery_code t),
         (select json_agg(t) from two_factor_challenge t), (select json_agg(t) from outbox t)) as text`;
    const rows = await core().sql<{ text: string }>(sql);
    const { Secret } = body.TwoFactorSetup;
    const plain = recoveryCode.replace('-', '');
    for (const text of [JSON.stringify(core().app.lines), rows[0]?.text ?? ''])
      for (const secret of [Secret, phone.secret.toString('hex'), TwoFactorToken, recoveryCode, plain])
        assert.equal(text.includes(secret), false);
  });
});
