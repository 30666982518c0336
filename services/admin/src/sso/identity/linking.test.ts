import assert from 'node:assert/strict';
import { readTables, someEmail, switchOnTwoFactor, atOnce } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { personClaims } from '../testing/browser.ts';
import { useLinking } from '../testing/linking.ts';

describe('the account of a sign-on', () => {
  const app = useLinking();

  for (const id of ['off', 'invited', 'jit', 'strong'])
    it(`is that with the same verified email (${id})`, async () => {
      const person = await app.member();
      assert.equal(await app.accountOf(id, personClaims(person.email.toUpperCase())), person.id);
      assert.deepEqual(await app.audited(person.id), [['sso.linked', 'System', { Provider: id }]]);
    });

  it('stays the same when the email changes at either side', async () => {
    const person = await app.member();
    const claims = personClaims(person.email);
    assert.equal(await app.accountOf('off', claims), person.id);
    const other = await app.member();
    assert.equal(await app.accountOf('off', { ...claims, email: other.email }), person.id);
    assert.equal(await app.accountOf('off', { sub: claims.sub }), person.id);
    assert.equal(await app.accountOf('off', { ...claims, email_verified: false }), person.id);
    assert.equal((await app.identities(other.id)).length, 0);
    assert.equal((await app.findAccount(person.email))?.displayName, null);
  });

  for (const [name, claims, providers] of [
    [
      'is not matched by an email that the provider has not verified',
      { email_verified: false },
      ['off', 'invited', 'jit', 'strong'],
    ],
    ['is not matched by email if the provider is not trusted with emails', {}, ['strange']],
  ] as const)
    it(`${name}: the response is the same for every email`, async () => {
      const emails = [
        someEmail(),
        (await app.member()).email,
        (await app.member({ role: 'Guest' })).email,
        (await app.member({ role: 'Admin' })).email,
        (await app.newPending({ role: 'Guest', signup: 'invitation' })).email,
        (await app.newPending({ signup: 'new' })).email,
        (await app.newPending({ signup: 'migration' })).email,
        (await app.newPending({ hasPassword: true })).email,
      ];
      const before = await readTables(app.admin.app);
      for (const email of emails)
        for (const id of providers)
          assert.equal(await app.accountOf(id, personClaims(email, claims)), 'email_not_verified', email);
      const { account, sso_identity } = await readTables(app.admin.app);
      assert.deepEqual([account, sso_identity], [before['account'], before['sso_identity']]);
    });

  it('is never a service account', async () => {
    const person = await app.member();
    await person.set('is_service = true');
    for (const id of ['jit', 'strong'])
      assert.equal(await app.accountOf(id, personClaims(person.email)), 'account_exists');
    assert.deepEqual(await app.identities(person.id), []);
    await person.set('is_service = false');
    assert.equal(await app.accountOf('jit', personClaims(person.email)), person.id);
    await person.set('is_service = true');
    assert.equal(await app.accountOf('jit', personClaims(person.email)), 'account_exists');
  });

  for (const provider of ['off', 'invited', 'jit', 'strong'])
    it(`is one with an unverified email without what a stranger has registered for it (${provider})`, async () => {
      const { id, email, set } = await app.newPending({ hasPassword: true });
      await set(`display_name = 'A stranger', is_contested = true`);
      const statement = `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at)
         values (?, 'verify', gen_random_uuid(), '', 500, now() + interval '1 day')`;
      await app.sql(statement, [id]);
      const before = await app.findAccount(email);
      assert.equal(await app.accountOf(provider, personClaims(email)), id);
      const after = await app.findAccount(email);
      assert.ok(before && after);
      const { passwordScheme, isEmailVerified, isContested, displayName, passwordVersion } = after;
      assert.deepEqual(
        { passwordScheme, isEmailVerified, isContested, displayName },
        { passwordScheme: null, isEmailVerified: true, isContested: false, displayName: 'Ann Other' },
      );
      assert.ok(passwordVersion > before.passwordVersion);
      assert.equal((await app.identities(id)).length, 1);
      assert.equal((await app.eventsOf(id, 'account.verified')).length, 1);
      assert.deepEqual(await app.sql('select 1 from account_code where account_id = ?', [id]), []);
    });

  it('is not that of another subject of the same issuer, who had the address before', async () => {
    const person = await app.member();
    assert.equal(await app.accountOf('jit', personClaims(person.email)), person.id);
    const shown = await app.accountOf('jit', personClaims(person.email, { sub: 'the next one' }));
    assert.equal(shown, 'account_exists');
    assert.equal((await app.identities(person.id)).length, 1);
    assert.equal(await app.accountOf('off', personClaims(person.email)), person.id, 'another issuer');
  });

  it('is a new one only with provisioning jit', async () => {
    const email = someEmail();
    assert.equal(await app.accountOf('off', personClaims(email)), 'not_provisioned');
    assert.equal(await app.accountOf('invited', personClaims(email)), 'not_provisioned');
    assert.equal(await app.findAccount(email), undefined);
    const id = await app.accountOf('jit', personClaims(email));
    assert.equal(id, (await app.findAccount(email))?.id);
    assert.deepEqual(await app.audited(id ?? ''), [
      ['account.created', 'System', { Provider: 'jit' }],
      ['sso.linked', 'System', { Provider: 'jit' }],
    ]);
    const events = await app.eventsOf(id ?? '');
    const types = events.map(([type]) => type).filter((type) => type !== 'session.new-device');
    assert.deepEqual(types, ['account.registered', 'session.started']);
  });

  it('is one new account for ten concurrent sign-ons', async () => {
    const email = someEmail();
    app.recognise('jit', personClaims(email));
    const backs = await atOnce(10, () => app.browser().signOn('jit'));
    const account = await app.findAccount(email);
    for (const back of backs) assert.equal(back.parameters['error'], undefined);
    assert.equal((await app.identities(account?.id ?? '')).length, 1);
    assert.equal((await app.audited(account?.id ?? '')).length, 2);
  });

  for (const completing of ['invited', 'jit'])
    it(`is completed if an administrator created it, with provisioning ${completing}`, async () => {
      for (const signup of ['new', 'migration'] as const) {
        const { id, email } = await app.newPending({ signup });
        assert.equal(await app.accountOf('off', personClaims(email)), 'account_exists');
        assert.equal(await app.accountOf(completing, personClaims(email)), id);
        const { signup: now, isEmailVerified, displayName } = (await app.findAccount(email)) ?? {};
        assert.deepEqual([now, isEmailVerified, displayName], ['complete', true, 'Ann Other']);
        assert.equal((await app.eventsOf(id, 'account.verified')).length, 1);
      }
    });

  for (const [what, overrides] of [
    ['with an unverified email', {}],
    ['that waits for its owner', { signup: 'new' }],
  ] as const)
    it(`is one ${what} of an administrator with provisioning invited only`, async () => {
      const { id, email } = await app.newPending({ ...overrides, role: 'Admin' });
      for (const provider of ['off', 'jit'])
        assert.equal(await app.accountOf(provider, personClaims(email)), 'account_exists');
      assert.equal(await app.accountOf('invited', personClaims(email)), id);
    });

  it('is never that of a guest', async () => {
    const guest = await app.member({ role: 'Guest' });
    const invited = await app.newPending({ role: 'Guest', signup: 'invitation' });
    const turned = await app.member();
    assert.equal(await app.accountOf('jit', personClaims(turned.email)), turned.id);
    await turned.set(`role = 'Guest'`);
    for (const { id, email } of [guest, invited, turned]) {
      assert.equal(await app.accountOf('jit', personClaims(email)), 'guest_not_allowed');
      const statement = 'select 1 from user_session where account_id = ? and status = 5';
      assert.equal((await app.sql(statement, [id])).length, 0);
    }
  });

  for (const [what, assignments, error] of [
    ['disabled', 'is_disabled = true', 'account_disabled'],
    ['expired', `expires_at = now() - interval '1 second'`, 'account_expired'],
    ['in need of a new password', 'new_password_required = true', 'new_password_required'],
  ] as const)
    it(`is refused while it is ${what}, linked or not`, async () => {
      const untied = await app.member();
      await untied.set(assignments);
      assert.equal(await app.accountOf('jit', personClaims(untied.email)), error);
      assert.deepEqual(await app.identities(untied.id), []);
      const tied = await app.member();
      assert.equal(await app.accountOf('jit', personClaims(tied.email)), tied.id);
      await tied.set(assignments);
      assert.equal(await app.accountOf('jit', personClaims(tied.email)), error);
      await tied.set('two_factor_required = true');
      const shown = await app.accountOf('jit', personClaims(tied.email));
      assert.equal(shown, error, 'a second factor would not help');
    });

  it('requires the second factor, unless the provider is trusted for it', async () => {
    const [withOne, toHaveOne] = [await app.member(), await app.member()];
    await switchOnTwoFactor(app.admin.app, withOne.id);
    await toHaveOne.set('two_factor_required = true');
    for (const { id, email } of [withOne, toHaveOne]) {
      assert.equal(await app.accountOf('jit', personClaims(email)), 'two_factor_required');
      assert.equal(await app.accountOf('strong', personClaims(email)), id);
    }
  });

  it('is linked and created only for the allowed domains', async () => {
    const outsider = await app.member();
    assert.equal(await app.accountOf('staff', personClaims(outsider.email)), 'domain_not_allowed');
    for (const domain of ['evil.example', 'corp.example.evil.example', 'evilcorp.example', 'a.corp.example'])
      assert.equal(await app.accountOf('staff', personClaims(`ann@${domain}`)), 'domain_not_allowed', domain);
    for (const domain of ['corp.example', 'CORP.example', 'bücher.example']) {
      const email = `ann.${newId()}@${domain}`;
      assert.match((await app.accountOf('staff', personClaims(email))) ?? '', /^[0-9a-f-]{36}$/, domain);
    }
  });
});
