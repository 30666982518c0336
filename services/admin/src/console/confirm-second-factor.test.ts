import assert from 'node:assert/strict';
import { PASSWORD, someAddress, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

describe('confirmation by an administrator with a second factor', () => {
  let admin: TestAdmin;
  before(async () => {
    admin = await startAdmin();
  });
  after(() => admin.stop());

  /** An administrator with two-factor authentication who signed in some time ago. */
  const signedIn = async () => {
    const ann = await admin.newAccount({ role: 'Admin' });
    const phone = await switchOnTwoFactor(admin.app, ann.id);
    const answer = await admin.http
      .post('/console/session')
      .set({ ...SAME_ORIGIN, 'x-forwarded-for': someAddress() })
      .send({ Username: ann.email, Password: PASSWORD, TwoFactorCode: phone.nextCode() })
      .expect(200);
    const [line = ''] = answer.headers['set-cookie'] as unknown as string[];
    const headers = { ...SAME_ORIGIN, cookie: line.split(';')[0] ?? '' };
    const age = "authenticated_at = now() - interval '6 minutes'";
    await query(admin.app.db, `update user_session set ${age} where account_id = ?`, [ann.id]);
    const confirm = (body: object) =>
      admin.http
        .post('/console/session/confirm')
        .set({ ...headers, 'x-forwarded-for': someAddress() })
        .send(body);
    const isConfirmed = async () => {
      const sql =
        'select 1 from session_confirmation c join user_session s on s.id = c.session_id where account_id = ?';
      return (await query(admin.app.db, sql, [ann.id])).length === 1;
    };
    const session = answer.body as { Account: object };
    return { ...ann, headers, phone, confirm, isConfirmed, session };
  };

  it('does not accept a password', async () => {
    const ann = await signedIn();
    for (const Password of [PASSWORD, 'wrong horse battery']) {
      const { body } = await ann.confirm({ Password }).expect(403);
      assert.equal(body.code, 'confirmation_required');
    }
    assert.equal(await ann.isConfirmed(), false);
  });

  it('cannot be avoided with a stolen cookie and the password', async () => {
    const ann = await signedIn();
    const createToken = () =>
      admin.http.post('/admin/api-token').set(ann.headers).send({ Name: 'lasting', Role: 'Admin' });
    await createToken().expect(403);
    await ann.confirm({ Password: PASSWORD }).expect(403);
    const own = `/admin/account/${ann.id}`;
    await admin.http.delete(`${own}/two-factor`).set(ann.headers).expect(403);
    await admin.http.patch(own).set(ann.headers).send({ TwoFactorRequired: false }).expect(200);
    const { body } = await admin.http
      .post('/console/session')
      .set({ ...SAME_ORIGIN, 'x-forwarded-for': someAddress() })
      .send({ Username: ann.email, Password: PASSWORD })
      .expect(200);
    assert.equal(body.LoginStatus, 2);
    await createToken().expect(403);
  });

  it('does not accept a password if a passkey is the only required second factor', async () => {
    const ann = await signedIn();
    const { db } = admin.app;
    await query(db, 'delete from two_factor where account_id = ?', [ann.id]);
    await query(db, 'update account set two_factor_required = true where id = ?', [ann.id]);
    await query(
      db,
      `insert into passkey (
         id, account_id, credential_id, public_key, algorithm, is_backup_eligible, is_backed_up, name)
       values (gen_random_uuid(), ?, decode(md5(random()::text), 'hex'), '', -7, true, true, 'Key')`,
      [ann.id],
    );
    assert.equal((await ann.confirm({ Password: PASSWORD }).expect(403)).body.code, 'confirmation_required');
    assert.equal(await ann.isConfirmed(), false);
  });

  it('accepts a code, once', async () => {
    const ann = await signedIn();
    assert.equal((ann.session.Account as { ConfirmsWithCode: boolean }).ConfirmsWithCode, true);
    const { body } = await ann.confirm({ TwoFactorCode: ann.phone.wrongCode() }).expect(403);
    assert.equal(body.code, 'wrong_code');
    assert.equal(await ann.isConfirmed(), false);
    const TwoFactorCode = ann.phone.nextCode();
    const answers = await Promise.all(Array.from({ length: 5 }, () => ann.confirm({ TwoFactorCode })));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [204, 403, 403, 403, 403],
    );
    assert.equal(await ann.isConfirmed(), true);
  });

  it('accepts a recovery code', async () => {
    const ann = await signedIn();
    await ann.confirm({ TwoFactorCode: ann.phone.recoveryCodes[0] }).expect(204);
    assert.equal(await ann.isConfirmed(), true);
  });

  it('accepts one proof at a time', async () => {
    const ann = await signedIn();
    const TwoFactorCode = ann.phone.nextCode();
    for (const body of [{}, { Password: PASSWORD, TwoFactorCode }, { TwoFactorCode, PasskeyToken: 'x' }])
      await ann.confirm(body).expect(400);
    assert.equal(await ann.isConfirmed(), false);
  });
});
