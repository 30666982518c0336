import assert from 'node:assert/strict';
import { authenticator, moveClock, statusesOf } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { cast, type Person } from '../../testing/cast.ts';
import { PASSWORD } from '../../testing/index.ts';

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
    const answers = await Promise.all(
      [first, second, first, second].map(({ phone, TwoFactorToken: token }) =>
        attempt(ann, { TwoFactorToken: token, TwoFactorCode: phone.codeAt() }),
      ),
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
    const rows = await query<{ text: string }>(
      core().app.db,
      `select concat((select json_agg(t) from two_factor t), (select json_agg(t) from recovery_code t),
         (select json_agg(t) from two_factor_challenge t), (select json_agg(t) from outbox t)) as text`,
    );
    const { Secret } = body.TwoFactorSetup;
    const plain = recoveryCode.replace('-', '');
    for (const text of [JSON.stringify(core().app.lines), rows[0]?.text ?? ''])
      for (const secret of [Secret, phone.secret.toString('hex'), TwoFactorToken, recoveryCode, plain])
        assert.equal(text.includes(secret), false);
  });
});
