import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';
import type { Behaviour } from '../testing/provider.ts';
import { personClaims, useSso, type TestSso } from '../testing/browser.ts';

const BOTH = ['gatehouse', 'another-client'];

describe('a malicious identity provider', () => {
  const sso = useSso({ liar: { provisioning: 'jit' }, other: { provisioning: 'jit' } });

  /** A function, because this file is loaded long before its tests run. */
  const now = (): number => Math.floor(Date.now() / 1000);
  const LIES: Record<string, (sso: TestSso) => Partial<Behaviour>> = {
    'another issuer': ({ provider }) => ({ claims: { iss: provider('other').issuer } }),
    'no issuer': () => ({ claims: { iss: undefined } }),
    'another audience': () => ({ claims: { aud: 'another-client' } }),
    'no audience': () => ({ claims: { aud: undefined } }),
    'our audience among others, for another party': () => ({ claims: { aud: BOTH, azp: 'another-client' } }),
    'our audience among others, without a party': () => ({ claims: { aud: BOTH } }),
    'our audience alone, for another party': () => ({ claims: { azp: 'another-client' } }),
    'another nonce': () => ({ claims: { nonce: 'x'.repeat(43) } }),
    'no nonce': () => ({ claims: { nonce: undefined } }),
    'a making in six minutes': () => ({ claims: { iat: now() + 360, exp: now() + 3600 } }),
    'a beginning in six minutes': () => ({ claims: { nbf: now() + 360 } }),
    'an end six minutes ago': () => ({ claims: { exp: now() - 360 } }),
    'no end': () => ({ claims: { exp: undefined } }),
    'no subject': () => ({ claims: { sub: undefined } }),
    'an empty subject': () => ({ claims: { sub: '' } }),
    'a number as subject': () => ({ claims: { sub: 7 } }),
    'a subject beyond measure': () => ({ claims: { sub: 'x'.repeat(256) } }),
    'a subject with a NUL': () => ({ claims: { sub: 'a\0b' } }),
    'a signature by another key': () => ({ signing: 'other-key' }),
    'a signature by a key that it does not publish': () => ({ signing: 'unknown-key' }),
    'a broken signature': () => ({ signing: 'broken' }),
    'no signature (alg none)': () => ({ signing: 'none' }),
    'a signature by the shared secret (HS256)': () => ({ signing: 'shared-secret' }),
  };

  for (const [what, lie] of Object.entries(LIES))
    it(`cannot sign on with an ID token with ${what}`, async () => {
      const email = someEmail();
      const back = await sso.signOn('liar', personClaims(email), lie(sso));
      assert.deepEqual([back.status, back.parameters], [303, { error: 'provider_error' }]);
      assert.equal(await accounts.findByEmailKey(sso.admin.app.db, emailKey(email)), undefined);
      assert.ok((await sso.signOn('liar', personClaims(email))).parameters['liar_token'], 'without the lie');
    });

  it('may name other audiences if the ID token was issued to this client', async () => {
    for (const aud of [['gatehouse'], ['another-client', 'gatehouse']]) {
      const claims = { aud, azp: 'gatehouse' };
      const back = await sso.signOn('liar', personClaims(someEmail()), { claims });
      assert.ok(back.parameters['liar_token'], JSON.stringify(back.parameters));
    }
  });

  it('may have a clock that is four minutes ahead or behind, and not six', async () => {
    for (const [minutes, error] of [
      [4, undefined],
      [-4, undefined],
      [6, 'provider_error'],
      [-6, 'provider_error'],
    ] as const) {
      const there = now() + minutes * 60;
      const claims = { iat: there, nbf: there, auth_time: there, exp: there + 5 };
      const { parameters } = await sso.signOn('liar', personClaims(someEmail()), { claims });
      assert.equal(parameters['error'], error, `${minutes} minutes`);
    }
  });

  it('cannot use a subject of another provider', async () => {
    const email = someEmail();
    const owner = await sso.signOn('other', personClaims(email));
    assert.ok(owner.parameters['other_token']);
    const thief = await sso.signOn('liar', personClaims(someEmail(), { sub: personClaims(email).sub }));
    const { auth } = sso.admin.app;
    const callers = await Promise.all([
      auth.authenticate(`Bearer ${owner.parameters['other_token']}`),
      auth.authenticate(`Bearer ${thief.parameters['liar_token']}`),
    ]);
    const [one, two] = callers.map((caller) => (caller.kind === 'session' ? caller.accountId : undefined));
    assert.ok(one !== undefined && two !== undefined && one !== two);
  });

  for (const [what, claims, error] of [
    ['no email', { email: undefined }, 'email_missing'],
    ['null as email', { email: null }, 'email_missing'],
    ['what is no email', { email: 'ann' }, 'email_missing'],
    ['two emails', { email: 'a@example.com, b@example.com' }, 'email_missing'],
    ['an empty list as email', { email: [] }, 'email_missing'],
    ['an email with a lone surrogate', { email: 'a\ud800@example.com' }, 'email_missing'],
    ['an email that is not verified', { email_verified: false }, 'email_not_verified'],
    ['an email whose verification it does not mention', { email_verified: undefined }, 'email_not_verified'],
  ] as const)
    it(`cannot create an account with ${what}`, async () => {
      assert.deepEqual((await sso.signOn('liar', personClaims(someEmail(), claims))).parameters, { error });
    });

  it('creates an account without a name if the name cannot be displayed', async () => {
    for (const name of ['', 'x'.repeat(101), 'a\nb', 7]) {
      const email = someEmail();
      const back = await sso.signOn('liar', personClaims(email, { name }));
      assert.ok(back.parameters['liar_token'], JSON.stringify(back.parameters));
      const account = await accounts.findByEmailKey(sso.admin.app.db, emailKey(email));
      assert.equal(account?.displayName, null);
    }
  });
});

describe('userinfo of an identity provider', () => {
  const sso = useSso({ demo: { provisioning: 'jit' } });
  before(async () => {
    // The metadata is discovered once, so from now on it contains a userinfo endpoint.
    sso.provider('demo').behaviour.userInfo = {};
    await sso.browser().begin('demo');
  });

  it('provides the email if the ID token does not', async () => {
    const email = someEmail();
    const userInfo = personClaims(email);
    const back = await sso.signOn('demo', { sub: userInfo.sub }, { userInfo });
    assert.ok(back.parameters['demo_token'], JSON.stringify(back.parameters));
    assert.ok(await accounts.findByEmailKey(sso.admin.app.db, emailKey(email)));
  });

  it('is ignored if it is of another subject', async () => {
    const back = await sso.signOn('demo', { sub: 'somebody' }, { userInfo: personClaims(someEmail()) });
    assert.deepEqual(back.parameters, { error: 'provider_error' });
  });

  it('is not needed for a linked identity: issuer and subject identify the user', async () => {
    const person = personClaims(someEmail());
    const first = await sso.signOn('demo', { sub: person.sub }, { userInfo: person });
    assert.ok(first.parameters['demo_token']);
    for (const userInfo of [{}, { sub: 'another' }, { ...personClaims(someEmail()), sub: 7 }]) {
      const back = await sso.signOn('demo', { sub: person.sub }, { userInfo });
      const caller = await sso.admin.app.auth.authenticate(`Bearer ${back.parameters['demo_token']}`);
      const account = await accounts.findByEmailKey(sso.admin.app.db, emailKey(person.email));
      assert.equal(caller.kind === 'session' && caller.accountId, account?.id);
    }
    const unknown = await sso.signOn('demo', { sub: 'unknown' }, { userInfo: {} });
    assert.deepEqual(unknown.parameters, { error: 'provider_error' });
  });
});
