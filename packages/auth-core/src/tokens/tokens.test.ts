import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { testLog } from '@gatehouse/runtime/testing';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { parseKeySet, publicJwks, type KeySet } from '../keys/keys.ts';
import { createForger, someSession, TEST_AUDIENCE, TEST_ISSUER, TEST_SECRET } from '../testing/index.ts';
import { throwAwayKeySet, throwAwayTokens } from '../testing/index.ts';
import { watchKeys, type Keys } from '../keys/watch-keys.ts';
import { portalSecretOf, readPortalSecret, tokenKeysOf } from './token-keys.ts';
import { forgedTokens, malleatedSignature } from '../testing/forged-tokens.ts';

const START = 1_800_000_000;
const EXPIRED = { kind: 'refused', code: 'token_expired' };
const INVALID = { kind: 'refused', code: 'token_invalid' };

describe('createTokens', () => {
  let seconds: number;
  const now = () => seconds * 1000;
  beforeEach(() => (seconds = START));

  it('signs tokens that any RFC 9068 verifier accepts', async () => {
    const json = throwAwayKeySet();
    const session = someSession();
    const tokens = throwAwayTokens({ keys: watchKeys({ json, log: testLog() }) });
    const { token, expiresAt } = await tokens.sign(session);
    const jwks = createLocalJWKSet(publicJwks(parseKeySet(json)));
    const options = { issuer: TEST_ISSUER, audience: TEST_AUDIENCE, typ: 'at+jwt' };
    const { payload } = await jwtVerify(token, jwks, options);
    const { jti, iat, ...claims } = payload;
    const { accountId: sub, sessionId: sid } = session;
    const expected = { iss: TEST_ISSUER, aud: TEST_AUDIENCE, sub, sid, role: 'User', exp: expiresAt };
    assert.deepEqual(claims, expected);
    assert.equal(iat, expiresAt - 3600);
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
  });

  it('gives back what was signed, at once for a token seen before', async () => {
    const session = someSession();
    const tokens = throwAwayTokens({ now });
    const { token, expiresAt } = await tokens.sign(session);
    const first = tokens.verify(token);
    assert.ok(first instanceof Promise);
    const tokenId = decodeJwt(token).jti;
    assert.deepEqual(await first, { kind: 'claims', ...session, tokenId, issuedAt: START, expiresAt });
    assert.deepEqual(tokens.verify(token), await first);
  });

  it('ends a token at its exp, without leeway, remembered or not', async () => {
    const [seen, fresh] = [throwAwayTokens({ now }), throwAwayTokens({ now })];
    for (const tokens of [seen, fresh]) {
      seconds = START;
      const { token } = await tokens.sign(someSession());
      seconds = START + 3599;
      if (tokens === seen) assert.equal((await tokens.verify(token)).kind, 'claims');
      seconds = START + 3600;
      assert.deepEqual(await tokens.verify(token), EXPIRED);
    }
  });

  it('gives the issuer’s clock its leeway, and no more', async () => {
    const tokens = throwAwayTokens({ now });
    const { token } = await tokens.sign(someSession());
    seconds = START - 61;
    assert.deepEqual(await tokens.verify(token), INVALID);
    seconds = START - 60;
    assert.equal((await tokens.verify(token)).kind, 'claims');
  });

  it('checks nbf with the same leeway', async () => {
    const json = throwAwayKeySet();
    const tokens = throwAwayTokens({ now, keys: watchKeys({ json, log: testLog() }) });
    const { signed } = createForger((await tokens.sign(someSession())).token, json);
    assert.equal((await tokens.verify(signed({}, { nbf: START + 60 }))).kind, 'claims');
    assert.deepEqual(await tokens.verify(signed({}, { nbf: START + 61 })), INVALID);
  });

  it('ends longer-lived tokens by the new rule when the lifetime is lowered', async () => {
    const keys = watchKeys({ json: throwAwayKeySet(), log: testLog() });
    const { token } = await throwAwayTokens({ now, keys, lifetimeSeconds: 7200 }).sign(someSession());
    const tokens = throwAwayTokens({ now, keys, lifetimeSeconds: 600 });
    seconds = START + 659;
    assert.equal((await tokens.verify(token)).kind, 'claims');
    seconds = START + 660;
    assert.deepEqual(await tokens.verify(token), EXPIRED);
    assert.deepEqual(await throwAwayTokens({ now, keys, lifetimeSeconds: 600 }).verify(token), EXPIRED);
  });

  it('does not issue tokens that live longer than a retired key is kept', () =>
    assert.throws(() => throwAwayTokens({ lifetimeSeconds: 86_401 }), ConfigError));

  it('caches no more tokens than configured, and verifies the others again', async () => {
    const tokens = throwAwayTokens({ memoryMax: 2 });
    const made = await Promise.all([1, 2, 3].map(() => tokens.sign(someSession())));
    for (const { token } of made) await tokens.verify(token);
    const areForgotten = made.map(({ token }) => tokens.verify(token) instanceof Promise);
    assert.deepEqual(areForgotten, [true, false, false]);
  });

  it('signs with a new key once its time has come, and accepts both', async () => {
    const keys = watchKeys({ json: throwAwayKeySet(0, START + 60), log: testLog() });
    const tokens = throwAwayTokens({ now, keys });
    const before = await tokens.sign(someSession());
    seconds = START + 60;
    const after = await tokens.sign(someSession());
    assert.notEqual(before.token.split('.')[0], after.token.split('.')[0]);
    for (const { token } of [before, after]) assert.equal((await tokens.verify(token)).kind, 'claims');
  });

  it('refuses tokens of a removed key at once: cached, new or being verified', async () => {
    const keys = changeableKeys(throwAwayKeySet());
    const tokens = throwAwayTokens({ keys });
    const [remembered, fresh, pending] = await Promise.all([1, 2, 3].map(() => tokens.sign(someSession())));
    assert.ok(remembered && fresh && pending);
    await tokens.verify(remembered.token);
    const verdict = tokens.verify(pending.token);
    keys.change(throwAwayKeySet());
    for (const { token } of [remembered, fresh]) assert.deepEqual(await tokens.verify(token), INVALID);
    assert.deepEqual(await verdict, INVALID);
    assert.deepEqual(await tokens.verify(pending.token), INVALID);
  });

  it('names every token differently', async () => {
    const tokens = throwAwayTokens();
    const session = someSession();
    const made = await Promise.all([tokens.sign(session), tokens.sign(session)]);
    assert.equal(new Set(made.map(({ token }) => decodeJwt(token).jti)).size, 2);
  });
});

function changeableKeys(json: string): Keys & { change(json: string): void } {
  let set: KeySet = parseKeySet(json);
  const listeners: ((removedKids: string[]) => void)[] = [];
  return {
    current: () => set,
    onChange: (listener) => void listeners.push(listener),
    close: () => {},
    change(next) {
      const removed = [...set.keys()];
      set = parseKeySet(next);
      for (const listener of listeners) listener(removed);
    },
  };
}

describe('the keys of TOKEN_SECRET', () => {
  const all = tokenKeysOf(TEST_SECRET);
  const portal = readPortalSecret(portalSecretOf(TEST_SECRET));

  it('are one for each purpose', () =>
    assert.equal(new Set(Object.values(all).map((key) => key.toString('hex'))).size, 6));

  it('allow Portal to check static tokens and users’ sessions, but to issue no tokens, mail no codes and authenticate no administrators', () => {
    assert.deepEqual(portal.staticTokens, all.staticTokens);
    assert.deepEqual(portal.userSessions, all.userSessions);
    const missing = [portal.codes, portal.adminSessions, portal.refreshTokens];
    assert.deepEqual(missing, [undefined, undefined, undefined]);
    const held = Buffer.from(portalSecretOf(TEST_SECRET), 'base64url');
    for (const key of [all.codes, all.adminSessions, all.refreshTokens, Buffer.from(TEST_SECRET)])
      assert.equal(held.indexOf(key), -1);
  });

  it('are refused in any other form', () => {
    const right = portalSecretOf(TEST_SECRET);
    for (const text of ['', TEST_SECRET, right.slice(0, -4), `${right}AAAA`, `${right}=`])
      assert.throws(() => readPortalSecret(text), ConfigError);
  });
});

describe('forged tokens', () => {
  const keySet = throwAwayKeySet(0);
  const tokens = throwAwayTokens({ keys: watchKeys({ json: keySet, log: testLog() }) });
  let genuine: string;
  before(async () => (genuine = (await tokens.sign(someSession())).token));

  it('accepts the genuine token and an exact copy of it (control)', async () => {
    assert.equal((await tokens.verify(genuine)).kind, 'claims');
    assert.equal((await tokens.verify(createForger(genuine, keySet).signed({}))).kind, 'claims');
  });

  it('refuses every forged token as invalid', async () => {
    const { invalid } = forgedTokens(genuine, keySet);
    assert.ok(invalid.length >= 180, `${invalid.length} forgeries`);
    assert.equal(new Set(invalid.map(({ name }) => name)).size, invalid.length, 'each has a name of its own');
    const accepted: string[] = [];
    for (const { name, token } of invalid) {
      const verdict = await tokens.verify(token);
      if (verdict.kind !== 'refused' || verdict.code !== 'token_invalid') accepted.push(name);
    }
    assert.deepEqual(accepted, []);
  });

  it('reports genuine expired tokens as expired', async () => {
    for (const { name, token } of forgedTokens(genuine, keySet).expired)
      assert.deepEqual(await tokens.verify(token), { kind: 'refused', code: 'token_expired' }, name);
  });

  it('maps a token with a malleated signature to the same session, so that revocation applies', async () => {
    // (r, n - s) is a valid ECDSA signature too. That is harmless: revocation applies to the session, not the token's text.
    const malleated = malleatedSignature(genuine);
    assert.notEqual(malleated, genuine);
    assert.deepEqual(await tokens.verify(malleated), await tokens.verify(genuine));
  });
});
