import assert from 'node:assert/strict';
import { testLog } from '@gatehouse/runtime/testing';
import { createForger, forgedTokens, malleatedSignature } from '../testing/forged-tokens.ts';
import { someSession, throwAwayKeySet, throwAwayTokens } from '../testing/index.ts';
import { watchKeys } from '../keys/watch-keys.ts';

describe('forged tokens', () => {
  const keySet = throwAwayKeySet(0);
  const tokens = throwAwayTokens({ keys: watchKeys({ json: keySet, log: testLog() }) });
  let genuine: string;
  before(async () => {
    genuine = (await tokens.sign(someSession())).token;
  });

  it('accepts the genuine token and an exact copy of it (control)', async () => {
    assert.equal((await tokens.verify(genuine)).kind, 'claims');
    assert.equal((await tokens.verify(createForger(genuine, keySet).signed({}))).kind, 'claims');
  });

  it('refuses every forged token as invalid', async () => {
    const { invalid } = forgedTokens(genuine, keySet);
    assert.ok(invalid.length >= 200, `${invalid.length} forgeries`);
    assert.equal(new Set(invalid.map(({ name }) => name)).size, invalid.length, 'each has a name of its own');
    const accepted: string[] = [];
    for (const { name, token } of invalid) {
      const verdict = await tokens.verify(token);
      if (verdict.kind !== 'refused' || verdict.code !== 'token_invalid') accepted.push(name);
    }
    assert.deepEqual(accepted, []);
  });

  it('reports genuine expired tokens as expired', async () => {
    for (const { name, token } of forgedTokens(genuine, keySet).expired) {
      assert.deepEqual(await tokens.verify(token), { kind: 'refused', code: 'token_expired' }, name);
    }
  });

  it('maps a token with a malleated signature to the same session, so that revocation applies', async () => {
    // (r, n - s) is a valid ECDSA signature too. That is harmless: revocation applies to the session, not the token's text.
    const malleated = malleatedSignature(genuine);
    assert.notEqual(malleated, genuine);
    assert.deepEqual(await tokens.verify(malleated), await tokens.verify(genuine));
  });
});
