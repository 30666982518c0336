import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { publicJwks, watchKeys } from '@gatehouse/auth-core';
import {
  TEST_AUDIENCE,
  TEST_ISSUER,
  someSession,
  throwAwayKeySet,
  throwAwayTokens,
} from '@gatehouse/auth-core/testing';
import { testLog } from '@gatehouse/runtime/testing';
import { createVerifier, type Verifier } from 'gatehouse-verify';

const VERIFY = createRequire(new URL('../../../verify/package.json', import.meta.url));
const TOKENS = 100;
const ROUNDS = 7;
const ROUND_MS = 150;

/** The functions of jose that are used, from the version that the tested package installs. */
interface Jose {
  jwtVerify(token: string, keys: unknown, rules: object): Promise<unknown>;
  createLocalJWKSet(keys: unknown): unknown;
}

describe('the throughput of gatehouse-verify', function () {
  this.timeout(60_000);
  let tokens: string[];
  let verifier: Verifier;
  let bare: (token: string) => Promise<unknown>;
  before(async () => {
    const keys = watchKeys({ json: throwAwayKeySet(), log: testLog() });
    const jwks = publicJwks(keys.current());
    const { sign } = throwAwayTokens({ keys });
    const signed = await Promise.all(Array.from({ length: TOKENS }, () => sign(someSession())));
    tokens = signed.map(({ token }) => token);
    const jose = (await import(pathToFileURL(VERIFY.resolve('jose')).href)) as Jose;
    const keySet = jose.createLocalJWKSet(jwks);
    const rules = { issuer: TEST_ISSUER, audience: TEST_AUDIENCE, algorithms: ['ES256'], typ: 'at+jwt' };
    bare = (token) => jose.jwtVerify(token, keySet, rules);
    verifier = createVerifier({
      issuer: TEST_ISSUER,
      revocation: 'none',
      fetch: () => Promise.resolve(Response.json(jwks)),
    });
  });
  after(() => verifier.close());

  /** The number of tokens verified in one round, one after the other. */
  const round = async (check: (token: string) => Promise<unknown>): Promise<number> => {
    const endsAt = performance.now() + ROUND_MS;
    let count = 0;
    for (; performance.now() < endsAt; count += 1) await check(tokens[count % TOKENS] ?? '');
    return count;
  };

  it('is at least 0.9 of what jose alone verifies', async () => {
    assert.equal((await verifier.verify(tokens[0] ?? '')).kind, 'caller');
    await bare(tokens[0] ?? '');
    const ratios: number[] = [];
    for (let n = 0; n < ROUNDS; n += 1) {
      const theirs = await round(bare);
      ratios.push((await round((token) => verifier.verify(token))) / theirs);
    }
    const median = ratios.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
    assert.ok(median >= 0.9, `${median.toFixed(2)} times as many tokens as jose`);
  });
});
