import assert from 'node:assert/strict';
import { someEmail, untilWaiting } from '@gatehouse/accounts/testing';
import { accounts, inTransaction, ssoIdentities } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { personClaims, useSso, problem } from '../testing/browser.ts';

const LINK = 'insert into sso_identity (issuer, subject, account_id, provider) values (?, ?, ?, ?)';

describe('the identities of an account', () => {
  const rules = { provisioning: 'jit' };
  const sso = useSso({ demo: rules, other: rules, strange: { trustEmail: false } });

  const pathOf = (id: string) => `/admin/account/${id}/identity`;
  const identities = async (id: string) => (await sso.boss.read(pathOf(id))).Items;
  const unlink = (id: string, number: number) => sso.boss.delete(`${pathOf(id)}/${number}`);
  const signedOn = async (provider = 'demo', email = someEmail()) => {
    const { parameters } = await sso.signOn(provider, personClaims(email));
    const { id } = (await sso.findAccount(email)) ?? assert.fail(JSON.stringify(parameters));
    return { id, Token: parameters[`${provider}_token`], email };
  };

  it('are listed with their provider, or null if it is not configured', async () => {
    const { id, email } = await signedOn();
    await sso.sql(LINK, ['https://gone.example', 'x', id, 'gone']);
    const [first, second] = await identities(id);
    const { Provider, Issuer, Subject, LinkedAt } = first;
    assert.deepEqual(
      [Provider, Issuer, Subject],
      ['demo', sso.provider('demo').issuer, personClaims(email).sub],
    );
    assert.ok(Math.abs(Date.parse(LinkedAt) - Date.now()) < 60_000);
    assert.deepEqual([second.Provider, second.Issuer], [null, 'https://gone.example']);
    assert.ok(second.Number > first.Number);
    assert.deepEqual(await identities(sso.boss.id), []);
  });

  it('are unlinked one by one, which ends their sessions and no others', async () => {
    const { id, Token, email } = await signedOn();
    const [{ Number: number }] = await identities(id);
    await unlink(id, number).expect(204);
    assert.equal(await sso.standing(Token), 'session_deactivated');
    assert.deepEqual(await identities(id), []);
    const statement = `select end_reason as reason, (select changed_by from session_event e where e.session_id = s.id
         order by seq desc limit 1) as by
       from user_session s where account_id = ?`;
    const [session] = await sso.sql<{ reason: string; by: string }>(statement, [id]);
    assert.deepEqual(session, { reason: 'identity_unlinked', by: sso.boss.id });
    const shown = await sso.history({ action: 'sso.unlinked', targetId: id }, 'actorId', 'details');
    assert.deepEqual(shown, [[sso.boss.id, { Provider: 'demo' }]]);
    await unlink(id, number).expect(problem('not_found'));
    const told = (await sso.mailsTo(email)).filter(({ type }) => type.includes('identity'));
    const found = told.map(({ type, content }) => [type, 'IpAddress' in content]);
    assert.deepEqual(found, [['account.identity-unlinked', false]]);

    // A user who signs on again is linked under another number: the old number unlinks nothing.
    const again = await signedOn('demo', email);
    assert.equal(again.id, id);
    await unlink(id, number).expect(404);
    assert.equal(await sso.standing(again.Token), 'User');
  });

  it('do not affect sessions of passwords and of other providers', async () => {
    const email = someEmail();
    const first = await signedOn('demo', email);
    const second = await signedOn('other', email);
    assert.equal(second.id, first.id);
    const [demo, other] = await identities(first.id);
    await unlink(first.id, demo.Number).expect(204);
    assert.equal(await sso.standing(second.Token), 'User');
    await unlink(first.id, other.Number).expect(204);
    assert.equal(await sso.standing(second.Token), 'session_deactivated');
    const withPassword = await sso.login({ id: first.id });
    const third = await signedOn('demo', someEmail());
    const [own] = await identities(third.id);
    await unlink(first.id, own.Number).expect(404);
    assert.equal(await sso.standing(third.Token), 'User');
    assert.equal(await sso.standing(withPassword.Token), 'User');
  });

  it('open no session once they are unlinked, even during a sign-on', async () => {
    const { id, email } = await signedOn();
    const claims = personClaims(email);
    await sso.sql(LINK, [sso.provider('strange').issuer, claims.sub, id, 'strange']);
    const { Number: number } = (await identities(id)).at(-1);
    const { db } = sso.admin.app;
    let signingOn: ReturnType<typeof sso.accountOf> | undefined;
    await inTransaction(db, NO_DEADLINE, async (tx) => {
      await accounts.lockById(tx, id);
      signingOn = sso.accountOf('strange', claims);
      // Until the sign-on has found the account.
      await untilWaiting(db);
      assert.ok(await ssoIdentities.remove(tx, id, number));
    });
    assert.equal(await signingOn, 'email_not_verified');
  });
});
