import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import type { Behaviour } from '../testing/provider.ts';
import { personClaims, useSso, type TestSso } from '../testing/browser.ts';

const BOTH = ['gatehouse', 'another-client'];

describe('a malicious identity provider', () => {
  const rules = { provisioning: 'jit' };
  const sso = useSso({ liar: rules, other: rules, demo: rules });
  before(async () => {
    // The metadata is discovered once, so from now on it contains a userinfo endpoint.
    sso.provider('demo').behaviour.userInfo = {};
    await sso.browser().begin('demo');
  });

  /** A function, because this file is loaded long before its tests run. */
  const now = (): number => Math.floor(Date.now() / 1000);
  const LIES: Record<string, (sso: TestSso) => Partial<Behaviour>> = {
    'another issuer in the answer around it (mix-up, RFC 9207)': ({ provider }) => ({
      answer: { iss: provider('other').issuer },
    }),
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
      assert.equal(await sso.findAccount(email), undefined);
      assert.ok((await sso.signOn('liar', personClaims(email))).parameters['liar_token'], 'without the lie');
    });

  it('may name other audiences if the ID token was issued to this client', async () => {
    for (const aud of [['gatehouse'], ['another-client', 'gatehouse']]) {
      const claims = { aud, azp: 'gatehouse' };
      const back = await sso.signOn('liar', personClaims(someEmail()), { claims });
      assert.ok(back.parameters['liar_token'], JSON.stringify(back.parameters));
    }
  });

  it('may have a clock that is four minutes ahead or behind', async () => {
    for (const minutes of [4, -4]) {
      const there = now() + minutes * 60;
      const claims = { iat: there, nbf: there, auth_time: there, exp: there + 5 };
      const { parameters } = await sso.signOn('liar', personClaims(someEmail()), { claims });
      assert.equal(parameters['error'], undefined, `${minutes} minutes`);
    }
  });

  it('cannot use a subject of another provider', async () => {
    const [owner, stranger] = [personClaims(someEmail()), personClaims(someEmail())];
    await sso.signOn('other', owner);
    const thief = await sso.accountOf('liar', { ...stranger, sub: owner.sub });
    assert.equal(thief, (await sso.findAccount(stranger.email))?.id);
    assert.notEqual(thief, (await sso.findAccount(owner.email))?.id);
  });

  it('creates an account without a name, and none without an email', async () => {
    const nameless = personClaims(someEmail(), { name: 7 });
    await sso.accountOf('liar', nameless);
    assert.equal((await sso.findAccount(nameless.email))?.displayName, null);
    assert.equal(await sso.accountOf('liar', personClaims(someEmail(), { email: 'ann' })), 'email_missing');
  });

  it('cannot send userinfo of another subject', async () => {
    const userInfo = personClaims(someEmail());
    assert.equal(await sso.accountOf('demo', { sub: 'somebody' }, { userInfo }), 'provider_error');
  });

  it('cannot keep out a linked identity by its userinfo: issuer and subject identify the user', async () => {
    const person = personClaims(someEmail());
    const first = await sso.accountOf('demo', { sub: person.sub }, { userInfo: person });
    assert.equal(first, (await sso.findAccount(person.email))?.id);
    for (const userInfo of [{}, { sub: 'another' }, { ...personClaims(someEmail()), sub: 7 }])
      assert.equal(await sso.accountOf('demo', { sub: person.sub }, { userInfo }), first);
    assert.equal(await sso.accountOf('demo', { sub: 'unknown' }, { userInfo: {} }), 'provider_error');
  });
});
