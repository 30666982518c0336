import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { testLog } from '@gatehouse/runtime/testing';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { parseKeySet, publicJwks, type KeySet } from '../keys/keys.ts';
import {
  createForger,
  someSession,
  TEST_AUDIENCE,
  TEST_ISSUER,
  throwAwayKeySet,
  throwAwayTokens,
} from '../testing/index.ts';
import { watchKeys, type Keys } from '../keys/watch-keys.ts';

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
    assert.deepEqual(claims, {
      iss: TEST_ISSUER,
      aud: TEST_AUDIENCE,
      sub: session.accountId,
      sid: session.sessionId,
      role: 'User',
      exp: expiresAt,
    });
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

  it('does not issue tokens that live longer than a retired key is kept', () => {
    assert.throws(() => throwAwayTokens({ lifetimeSeconds: 86_401 }), ConfigError);
  });

  it('caches no more tokens than configured, and verifies the others again', async () => {
    const tokens = throwAwayTokens({ memoryMax: 2 });
    const made = await Promise.all([1, 2, 3].map(() => tokens.sign(someSession())));
    for (const { token } of made) await tokens.verify(token);
    assert.deepEqual(
      made.map(({ token }) => tokens.verify(token) instanceof Promise),
      [true, false, false],
    );
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

/** A key set that the test can change. */
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
