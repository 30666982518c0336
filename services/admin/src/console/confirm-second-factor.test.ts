import assert from 'node:assert/strict';
import { PASSWORD, switchOnTwoFactor, statusesOf, atOnce } from '@gatehouse/accounts/testing';
import { cast } from '../testing/cast.ts';

describe('confirmation by an administrator with a second factor', () => {
  const { app, member, openConsole, signIn, sql } = cast();

  /** An administrator with two-factor authentication who signed in some time ago. */
  const signedIn = async () => {
    const ann = await member({ role: 'Admin' });
    const phone = await switchOnTwoFactor(app(), ann.id);
    const browser = await openConsole(ann.email, { TwoFactorCode: phone.nextCode() });
    const age = "authenticated_at = now() - interval '6 minutes'";
    await sql(`update user_session set ${age} where account_id = ?`, [ann.id]);
    const isConfirmed = async () => {
      const statement =
        'select 1 from session_confirmation c join user_session s on s.id = c.session_id where account_id = ?';
      return (await sql(statement, [ann.id])).length === 1;
    };
    return { ...ann, ...browser, phone, isConfirmed };
  };

  it('cannot be avoided with a stolen cookie and the password', async () => {
    const ann = await signedIn();
    const createToken = () => ann.post('/admin/api-token', { Name: 'lasting', Role: 'Admin' });
    await createToken().expect(403);
    await ann.confirm({ Password: PASSWORD }).expect(403);
    const own = `/admin/account/${ann.id}`;
    await ann.delete(`${own}/two-factor`).expect(403);
    await ann.patch(own, { TwoFactorRequired: false }).expect(200);
    const { body } = await signIn({ Username: ann.email, Password: PASSWORD }).expect(200);
    assert.equal(body.LoginStatus, 2);
    await createToken().expect(403);
  });

  it('does not accept a password if a passkey is the only required second factor', async () => {
    const ann = await signedIn();
    await sql('delete from two_factor where account_id = ?', [ann.id]);
    await ann.set('two_factor_required = true');
    await sql(
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
    assert.equal(ann.session.Account.ConfirmsWithCode, true);
    const { body } = await ann.confirm({ TwoFactorCode: ann.phone.wrongCode() }).expect(403);
    assert.equal(body.code, 'wrong_code');
    assert.equal(await ann.isConfirmed(), false);
    const TwoFactorCode = ann.phone.nextCode();
    const answers = await atOnce(5, () => ann.confirm({ TwoFactorCode }));
    assert.deepEqual(statusesOf(answers), [204, 403, 403, 403, 403]);
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
