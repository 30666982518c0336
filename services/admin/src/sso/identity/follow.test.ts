import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { atOnce, someEmail, switchOnTwoFactor, untilWaiting } from '@gatehouse/accounts/testing';
import { accounts, inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { personClaims } from '../testing/browser.ts';
import { useLinking } from '../testing/linking.ts';

describe('a person who changes at the provider', () => {
  const app = useLinking();

  /** Somebody who has signed on with the provider that accounts follow, and what the account says of them by now. */
  const newPerson = async (overrides: { role?: 'Admin' | 'User' } = {}) => {
    const { id, email } = await app.member({ ...overrides, email: someEmail() });
    const claims = personClaims(email);
    assert.equal(await app.accountOf('leads', claims), id);
    const shown = async () => {
      const { email: address, displayName } = (await accounts.findById(app.admin.app.db, id)) ?? {};
      return { email: address, displayName };
    };
    return { id, email, claims, shown };
  };

  it('has the new name and address here after the next sign-on, and is told at both addresses', async () => {
    const { id, email, claims, shown } = await newPerson();
    assert.deepEqual(await shown(), { email, displayName: 'Ann Other' });
    const after = someEmail();
    for (let time = 0; time < 2; time += 1)
      assert.equal(await app.accountOf('leads', { ...claims, email: after, name: 'Ann After' }), id);
    assert.deepEqual(await shown(), { email: after, displayName: 'Ann After' });
    assert.deepEqual((await app.audited(id)).slice(-2), [
      ['account.changed', 'System', { DisplayName: 'changed', Provider: 'leads' }],
      ['email.changed', 'System', { Provider: 'leads' }],
    ]);
    for (const address of [email, after]) {
      assert.equal((await app.mailTypes(address)).filter((type) => type === 'account.email-set').length, 1);
    }
  });

  it('takes the address from a registration that nobody has verified', async () => {
    const { id, claims, shown } = await newPerson();
    const squatter = await app.newPending();
    assert.equal(await app.accountOf('leads', { ...claims, email: squatter.email }), id);
    assert.equal((await shown()).email, squatter.email);
    const found = (await app.audited(id)).at(-1);
    assert.deepEqual(found, ['email.changed', 'System', { Provider: 'leads', RemovedId: squatter.id }]);
  });

  it('keeps the address that an administrator has, that is taken, or that the provider does not vouch for', async () => {
    const other = await app.member();
    for (const [role, says] of [
      ['Admin', { email: someEmail() }],
      ['User', { email: other.email }],
      ['User', { email: someEmail(), email_verified: false }],
      ['User', { email: `${someEmail()}.elsewhere.test` }],
      ['User', { email: undefined }],
    ] as const) {
      const { id, email, claims, shown } = await newPerson({ role });
      assert.equal(await app.accountOf('leads', { ...claims, name: 'Ann After', ...says }), id);
      assert.deepEqual(await shown(), { email, displayName: 'Ann After' }, JSON.stringify(says));
    }
  });

  it('keeps the address of an account that becomes an administrator’s during the sign-on', async () => {
    const { db } = app.admin.app;
    const { id, email, claims, shown } = await newPerson();
    let signingOn: ReturnType<typeof app.accountOf> | undefined;
    await inTransaction(db, NO_DEADLINE, async (tx) => {
      await accounts.lockById(tx, id);
      signingOn = app.accountOf('leads', { ...claims, email: someEmail() });
      // Until the sign-on has read the account.
      await untilWaiting(db);
      await query(tx, `update account set role = 'Admin' where id = ?`, [id]);
    });
    assert.equal(await signingOn, id);
    assert.equal((await shown()).email, email);
  });

  it('keeps its address if the identity was linked with another one, however that changes', async () => {
    const [own, stranger] = [await app.member({ email: someEmail() }), personClaims(someEmail())];
    const link = `insert into sso_identity (issuer, subject, account_id, provider) values (?, ?, ?, 'leads')`;
    await app.sql(link, [app.provider('leads').issuer, stranger.sub, own.id]);
    for (const email of [stranger.email, someEmail(), someEmail()]) {
      assert.equal(await app.accountOf('leads', { ...stranger, email }), own.id);
      assert.equal((await app.findAccount(own.email))?.id, own.id);
    }
  });

  it('leaves the links that take an earlier change of the address back', async () => {
    const { id, claims } = await newPerson();
    const sql = `insert into email_change (token_hash, account_id, former_email, former_email_key, expires_at)
       values ('x', ?, 'before@example.com', 'before@example.com', now() + interval '7 days')`;
    await app.sql(sql, [id]);
    const after = someEmail();
    assert.equal(await app.accountOf('leads', { ...claims, email: after }), id);
    assert.equal((await app.findAccount(after))?.id, id);
    assert.equal((await app.sql('select 1 from email_change where account_id = ?', [id])).length, 1);
  });

  it('changes nothing by a sign-on that is refused, or that says nothing', async () => {
    const { id, email, claims, shown } = await newPerson();
    assert.equal(await app.accountOf('leads', { sub: claims.sub }), id);
    await switchOnTwoFactor(app.admin.app, id);
    const changed = { ...claims, email: someEmail(), name: 'Ann After' };
    assert.equal(await app.accountOf('leads', changed), 'two_factor_required');
    assert.deepEqual(await shown(), { email, displayName: 'Ann Other' });
  });

  it('with a new subject is linked to the same account once an administrator has unlinked the old one', async () => {
    const { id, claims } = await newPerson();
    const anew = { ...claims, sub: 'in the new tenant' };
    assert.equal(await app.accountOf('leads', anew), 'account_exists');
    const path = `/admin/account/${id}/identity`;
    const { Items } = await app.boss.read(path);
    await app.boss.delete(`${path}/${Items[0].Number}`).expect(204);
    assert.equal(await app.accountOf('leads', anew), id);
    assert.deepEqual(await app.identities(id), [{ subject: anew.sub }]);
  });
});

describe('notice to the owner of an account that is linked by email at a sign-on', () => {
  const app = useLinking();

  const mails = async (email: string) =>
    (await app.mailsTo(email)).filter(({ type }) => type === 'account.identity-linked');
  const linked = async (accountId: string) =>
    (await app.eventsOf(accountId, 'account.identity-linked')).map(([, { Provider }]) => Provider);

  it('is one mail with time and address in the language of the account, with repeated sign-ons', async () => {
    const { id, email, set } = await app.member();
    await set(`locale = 'de', display_name = 'Anna'`);
    for (let time = 0; time < 3; time += 1) assert.equal(await app.accountOf('off', personClaims(email)), id);
    const [mail, ...others] = await mails(email);
    assert.equal(others.length, 0);
    const { Locale, DisplayName, At, IpAddress } = { ...mail?.content } as Record<string, string>;
    assert.deepEqual([Locale, DisplayName], ['de', 'Anna']);
    assert.ok(Math.abs(Date.parse(At ?? '') - Date.now()) < 60_000);
    assert.notEqual(isIP(IpAddress ?? ''), 0);
    assert.deepEqual(await linked(id), ['off']);
  });

  it('is sent once per identity, also with ten concurrent sign-ons', async () => {
    const { id, email } = await app.member();
    for (const provider of ['jit', 'off']) {
      app.recognise(provider, personClaims(email));
      const backs = await atOnce(10, () => app.browser().signOn(provider));
      for (const back of backs) assert.equal(back.parameters['error'], undefined);
    }
    assert.deepEqual(await linked(id), ['jit', 'off']);
    assert.equal((await mails(email)).length, 2);
  });

  for (const signup of ['new', 'migration'] as const)
    it(`is sent if the sign-on completes the account (${signup}), with the name from the provider`, async () => {
      const { id, email } = await app.newPending({ signup });
      assert.equal(await app.accountOf('invited', personClaims(email)), id);
      const [mail, ...others] = await mails(email);
      const shown = [((mail?.content ?? {}) as Record<string, string>)['DisplayName'], others];
      assert.deepEqual(shown, ['Ann Other', []]);
    });

  it('is sent if the sign-on is refused for a missing second factor, as the identity is linked', async () => {
    const { id, email } = await app.member();
    await switchOnTwoFactor(app.admin.app, id);
    assert.equal(await app.accountOf('jit', personClaims(email)), 'two_factor_required');
    assert.deepEqual([(await app.identities(id)).length, (await mails(email)).length], [1, 1]);
  });

  it('is not sent if nothing is linked, or the sign-on creates the account', async () => {
    const [refused, expired] = [await app.member(), await app.member()];
    assert.equal(await app.accountOf('strange', personClaims(refused.email)), 'email_not_verified');
    await expired.set('new_password_required = true');
    assert.equal(await app.accountOf('jit', personClaims(expired.email)), 'new_password_required');
    const made = someEmail();
    assert.match((await app.accountOf('jit', personClaims(made))) ?? '', /^[0-9a-f-]{36}$/);
    for (const email of [refused.email, expired.email, made]) assert.deepEqual(await mails(email), []);
  });
});
