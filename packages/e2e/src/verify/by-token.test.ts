import assert from 'node:assert/strict';
import { createTokens, newKey, watchKeys } from '@gatehouse/auth-core';
import { forgedTokens } from '@gatehouse/auth-core/testing';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { createVerifier, type Verifier } from 'gatehouse-verify';
import { codeOf } from './code-of.ts';
import { startInstallation, type Installation } from './installation.ts';

const JWKS = '/.well-known/jwks.json';

describe('gatehouse-verify with offline verification', function () {
  this.timeout(60_000);
  let at: Installation;
  before(async () => {
    at = await startInstallation();
  });
  after(() => at.stop());

  it('returns the account of a genuine token', async () => {
    const { Token, sessionId } = await at.newSession();
    const verdict = await at.verifier('none').verifyHeader(`bearer  ${Token}`);
    assert.ok(verdict.kind === 'caller');
    assert.equal(verdict.sessionId, sessionId);
    assert.equal(verdict.role, 'User');
    assert.ok((verdict.expiresAt ?? 0) > Date.now() / 1000);
  });

  it('refuses every forged or expired token, whether it has cached the genuine one or not', async () => {
    const { Token } = await at.newSession();
    const { invalid, expired } = forgedTokens(Token, at.house.app.settings.SIGNING_KEYS ?? '');
    const verifier = at.verifier('none', { leewaySeconds: 0 });
    for (let round = 0; round < 2; round += 1) {
      for (const { name, token } of invalid) {
        const verdict = await verifier.verifyHeader(`Bearer ${token}`);
        assert.ok(verdict.kind === 'refused', `${name}: ${verdict.kind}`);
      }
      // Only Gatehouse itself checks the maximum lifetime of tokens.
      for (const { name, token } of expired.filter((one) => one.name.startsWith('exp '))) {
        assert.equal(codeOf(await verifier.verify(token)), 'token_expired', name);
      }
      assert.equal((await verifier.verify(Token)).kind, 'caller');
    }
  });

  it('takes the issuer with a slash at the end, and says once what is wrong with another', async () => {
    const { Token } = await at.newSession();
    const { issuer } = at;
    assert.equal((await at.verifier('none', { issuer: `${issuer}/` }).verify(Token)).kind, 'caller');
    for (const [options, problem] of [
      [{ issuer: 'http://localhost:1' }, `tokens say iss ${issuer}, you configured http://localhost:1`],
      [{ audience: 'other' }, 'tokens say aud gatehouse, you configured other'],
    ] as const) {
      const problems: string[] = [];
      const onError = (error: unknown) => problems.push((error as Error).message);
      const verifier = at.verifier('none', { ...options, onError });
      for (let n = 0; n < 2; n += 1) assert.equal(codeOf(await verifier.verify(Token)), 'token_invalid');
      assert.deepEqual(problems, [problem]);
    }
  });

  it('names a missing option', () => {
    const create = createVerifier as (options?: unknown) => unknown;
    assert.throws(() => create(), /issuer is required/);
    assert.throws(() => create({ issuer: at.issuer }), /revocation is required/);
    assert.throws(() => create({ issuer: at.issuer, revocation: { feed: {} } }), /revocation is required/);
  });

  it('expires a cached token', async () => {
    const { Token } = await at.newSession();
    let now = Date.now();
    const verifier = at.verifier('none', { now: () => now });
    assert.equal((await verifier.verify(Token)).kind, 'caller');
    now += (at.house.app.settings.ACCESS_TOKEN_SECONDS + 61) * 1000;
    assert.equal(codeOf(await verifier.verify(Token)), 'token_expired');
  });

  it('verifies the signature of a remembered token once', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, async () => (await at.newSession()).Token));
    /** The time for checking each token a hundred times. */
    const timeOf = async (verifier: Verifier): Promise<number> => {
      for (const token of tokens) assert.equal((await verifier.verify(token)).kind, 'caller');
      const startedAt = performance.now();
      for (let n = 0; n < 1000; n += 1) await verifier.verify(tokens[n % tokens.length] ?? '');
      return performance.now() - startedAt;
    };
    // If only one token is cached, each has to be verified again.
    const forgetful = await timeOf(at.verifier('none', { memoryMax: 1 }));
    const remembering = await timeOf(at.verifier('none'));
    assert.ok(remembering * 2 < forgetful, `${remembering} ms in the place of ${forgetful}`);
  });

  it('distinguishes a malformed bearer token from a missing one', async () => {
    const verifier = at.verifier('none');
    assert.equal(codeOf(await verifier.verifyHeader(undefined)), 'token_missing');
    for (const header of ['Basic abc', 'Bearer', 'Bearer a b', `Bearer ${'x'.repeat(9000)}`, at.feed]) {
      assert.equal(codeOf(await verifier.verifyHeader(header)), 'token_invalid', header.slice(0, 20));
    }
  });

  it('fetches the keys once for concurrent tokens, also with unknown key ids', async () => {
    const { Token } = await at.newSession();
    let now = Date.now();
    const before = at.asked.length;
    const verifier = at.verifier('none', { now: () => now });
    const fetches = () => at.asked.slice(before).filter((path) => path === JWKS).length;
    await Promise.all(Array.from({ length: 20 }, () => verifier.verify(Token)));
    assert.equal(fetches(), 1);
    const strange = () => {
      const keys = watchKeys({ json: JSON.stringify({ keys: [newKey(0, 0)] }), log: testLog() });
      const rules = { issuer: at.issuer, audience: 'gatehouse', lifetimeSeconds: 60, leewaySeconds: 60 };
      const subject = { accountId: 'a', sessionId: 's', role: 'Admin' } as const;
      return createTokens({ ...rules, keys }).sign(subject);
    };
    for (let n = 0; n < 20; n += 1) {
      assert.equal(codeOf(await verifier.verify((await strange()).token)), 'token_invalid');
    }
    assert.equal(fetches(), 1);
    now += 31_000;
    await verifier.verify((await strange()).token);
    await verifier.verify((await strange()).token);
    assert.equal(fetches(), 2);
  });

  it('accepts tokens of a new key, refuses those of a removed one, and works while Core is down', async () => {
    const { settings } = at.house.app;
    const { accountId = '', sessionId = '' } = await callerOf(at);
    const [older] = (JSON.parse(settings.SIGNING_KEYS ?? '') as { keys: object[] }).keys;
    const newer = newKey(0, 1);
    const tokenOf = async (key: object) => {
      const keys = watchKeys({ json: JSON.stringify({ keys: [key] }), log: testLog() });
      const rules = {
        issuer: at.issuer,
        audience: settings.AUDIENCE,
        lifetimeSeconds: 3600,
        leewaySeconds: 60,
      };
      return (await createTokens({ ...rules, keys }).sign({ accountId, sessionId, role: 'User' })).token;
    };
    const [old, fresh] = [await tokenOf(older ?? {}), await tokenOf(newer)];
    let now = Date.now();
    const verifier = at.verifier('none', { now: () => now });
    assert.deepEqual(
      [codeOf(await verifier.verify(old)), codeOf(await verifier.verify(fresh))],
      ['caller', 'token_invalid'],
    );
    await at.goAway();
    now += 120_000;
    assert.equal(codeOf(await verifier.verify(await tokenOf(older ?? {}))), 'caller');
    await at.restart({ SIGNING_KEYS: JSON.stringify({ keys: [newer] }) });
    now += 120_000;
    await eventually(async () => codeOf(await verifier.verify(old)) === 'token_invalid');
    assert.equal(codeOf(await verifier.verify(fresh)), 'caller');
    await at.goAway();
    await at.restart();
  });

  it('reports that it cannot verify if no key was ever fetched', async () => {
    const { Token } = await at.newSession();
    const verifier = at.verifier('none', { fetch: () => Promise.reject(new Error('away')) });
    assert.equal(codeOf(await verifier.verify(Token)), 'unavailable');
  });
});

async function callerOf(at: Installation) {
  const verdict = await at.verifier('none').verify((await at.newSession()).Token);
  assert.ok(verdict.kind === 'caller');
  return verdict;
}
