import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { calculateJwkThumbprint } from 'jose';
import { newIdTokenKeys, newKey, parseIdTokenKeySet, parseKeySet, parsePublicKeySet } from './keys.ts';
import { publicJwks, publicKeySetOf, rotated, signingKey, withoutPrivate } from './keys.ts';

const set = (...keys: unknown[]) => JSON.stringify({ keys });

describe('parseKeySet', () => {
  it('names a key by its RFC 7638 thumbprint', async () => {
    const key = newKey(0, 0);
    assert.equal(key.kid, await calculateJwkThumbprint({ ...key }));
    assert.deepEqual([...parseKeySet(set(key)).keys()], [key.kid]);
  });

  const key = newKey(0, 0);
  const other = newKey(0, 0);
  const without = (member: keyof typeof key) => ({ ...key, [member]: undefined });
  const faults: [string, string, RegExp][] = [
    ['text that is not JSON', `{"d":"${key.d}"`, /not JSON/],
    ['a bare array', JSON.stringify([key]), /no array "keys"/],
    ['an empty set', set(), /is empty/],
    ['null as a key', set(null), /key 1 .* not an object/],
    ['a symmetric key', set({ kty: 'oct', k: key.d }), /member other than/],
    ['another curve', set({ ...key, crv: 'P-384' }), /P-256/],
    ['another algorithm', set({ ...key, alg: 'ES384' }), /alg/],
    ['an encryption key', set({ ...key, use: 'enc' }), /use/],
    ['a public key', set(without('d')), /not a private key/],
    ['a key without kid', set(without('kid')), /thumbprint/],
    ['a kid of its own', set({ ...key, kid: 'key-1' }), /thumbprint/],
    ['a d of another key', set({ ...key, d: other.d }), /does not belong/],
    ['a d of zero', set({ ...key, d: 'A'.repeat(43) }), /does not belong/],
    ['a padded d', set({ ...key, d: `${key.d}=` }), /malformed d/],
    ['a short x', set({ ...key, x: key.x.slice(1) }), /malformed x/],
    ['no nbf', set(without('nbf')), /epoch seconds/],
    ['an iat in text', set({ ...key, iat: '1' }), /epoch seconds/],
    ['an unknown member', set({ ...key, exp: 1 }), /member other than/],
    ['one key twice', set(key, other, key), /a key twice/],
    ['a wrong second key', set(key, { ...other, crv: 'P-521' }), /key 2/],
  ];
  for (const [what, json, message] of faults)
    it(`refuses ${what}, without quoting it`, () =>
      assert.throws(
        () => parseKeySet(json),
        (error) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, message);
          for (const secret of [key.d, other.d]) assert.ok(!String(error.stack).includes(secret));
          return true;
        },
      ));
});

describe('parseIdTokenKeySet', () => {
  const [key, es256] = newIdTokenKeys(0, 0);
  const [other] = newIdTokenKeys(0, 0);

  it('names a key by its RFC 7638 thumbprint, and publishes only its public part', async () => {
    assert.equal(key.kid, await calculateJwkThumbprint({ ...key }));
    const { kty, n, e, kid, alg, use } = key;
    assert.deepEqual(publicJwks(parseIdTokenKeySet(set(key))), { keys: [{ kty, n, e, kid, alg, use }] });
    assert.deepEqual(withoutPrivate([key]), [{ kty, n, e, kid, alg, use, iat: 0, nbf: 0 }]);
  });

  const faults: [string, string, RegExp][] = [
    ['keys of access tokens alone', set(newKey(0, 0)), /no key for RS256/],
    ['another algorithm', set({ ...key, alg: 'PS256' }), /alg/],
    ['another exponent', set({ ...key, e: 'Aw' }), /an e other/],
    ['a short modulus', set({ ...key, n: key.n.slice(0, 168) }), /2048/],
    ['a padded modulus', set({ ...key, n: `${key.n}==` }), /malformed n/],
    ['a d of another key', set({ ...key, d: other.d }), /does not belong/],
    ['a prime of another key', set({ ...key, p: other.p }), /does not belong/],
    ['a key without a prime', set({ ...key, q: undefined }), /malformed/],
    ['a public key', set(withoutPrivate([key])[0]), /not a private key/],
    ['the kid of another key', set({ ...key, kid: other.kid }), /thumbprint/],
  ];
  for (const [what, json, message] of faults)
    it(`refuses ${what}`, () =>
      assert.throws(() => parseIdTokenKeySet(json), { name: 'ConfigError', message }));

  it('may have keys for ES256, too, of which each is rotated, and the missing one is added', () => {
    const kinds = (keys: readonly { alg: string }[]) => keys.map(({ alg }) => alg).toSorted();
    const kids = [...parseIdTokenKeySet(set(key, es256)).keys()].toSorted();
    assert.deepEqual(kids, [key.kid, es256.kid].toSorted());
    const times = { nowSeconds: 10_000, publishSeconds: 60, retireSeconds: 1000 };
    const rotatedOnce = rotated([key], times);
    assert.deepEqual(kinds(rotatedOnce), ['ES256', 'RS256', 'RS256']);
    const rotatedTwice = rotated(rotatedOnce, { ...times, nowSeconds: 20_000 });
    assert.deepEqual(kinds(rotatedTwice), ['ES256', 'ES256', 'RS256', 'RS256']);
    assert.ok(!rotatedTwice.some(({ kid }) => kid === key.kid));
  });

  it('is never a set of access tokens', () => {
    assert.throws(() => parseKeySet(set(key)), ConfigError);
    assert.throws(() => parsePublicKeySet(set(withoutPrivate([key])[0])), ConfigError);
  });
});

describe('parsePublicKeySet', () => {
  const key = newKey(5, 10);

  it('reads what verifies, and takes no private key', () => {
    const read = parsePublicKeySet(publicKeySetOf(set(key)));
    const [only] = read.values();
    const facts = [only?.kid, only?.issuedAt, only?.signsFrom, only?.privateKey];
    assert.deepEqual(facts, [key.kid, 5, 10, undefined]);
    assert.deepEqual(publicJwks(read), publicJwks(parseKeySet(set(key))));
    assert.throws(() => parsePublicKeySet(set(key)), /is a private key/);
    const mixed = set(withoutPrivate([key])[0], newKey(0, 0));
    assert.throws(() => parsePublicKeySet(mixed), /key 2 .* private key/);
  });

  it('refuses a point that is not on the curve', () => {
    const x = `${key.x.startsWith('A') ? 'B' : 'A'}${key.x.slice(1)}`;
    assert.throws(() => parsePublicKeySet(set({ ...withoutPrivate([key])[0], x })), ConfigError);
  });
});

describe('signingKey', () => {
  const [old, middle, late] = [newKey(0, 100), newKey(0, 200), newKey(0, 300)];
  const keys = parseKeySet(set(late, old, middle));

  it('is the newest that is active', () => {
    assert.equal(signingKey(keys, 199).kid, old.kid);
    assert.equal(signingKey(keys, 200).kid, middle.kid);
    assert.equal(signingKey(keys, 1000).kid, late.kid);
  });

  it('is the oldest if none is active yet', () => assert.equal(signingKey(keys, 0).kid, old.kid));
});

describe('rotated', () => {
  const times = { nowSeconds: 10_000, publishSeconds: 60, retireSeconds: 1000 };

  it('adds a key that signs once it has been published', () => {
    const first = newKey(0, 0);
    const [kept, added, ...more] = rotated([first], times);
    assert.equal(kept, first);
    assert.equal(added?.nbf, 10_060);
    assert.deepEqual(more, []);
  });

  it('drops keys superseded longer ago than tokens live, never the one that signs', () => {
    const [dead, alive, signing] = [newKey(0, 0), newKey(0, 8000), newKey(0, 9500)];
    const kids = rotated([dead, alive, signing], times).map(({ kid }) => kid);
    assert.deepEqual(kids.slice(0, 2), [alive.kid, signing.kid]);
    assert.equal(kids.length, 3);
  });
});
