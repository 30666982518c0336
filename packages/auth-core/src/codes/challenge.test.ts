import assert from 'node:assert/strict';
import { isChallengeOf } from './challenge.ts';

describe('a code challenge', () => {
  // RFC 7636, appendix B.
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

  it('is the SHA-256 of its verifier', () => {
    assert.ok(isChallengeOf(verifier, challenge));
    for (const wrong of [challenge, `${verifier}A`, verifier.slice(1), ''])
      assert.ok(!isChallengeOf(wrong, challenge));
    for (const wrong of [verifier, '', challenge.slice(1), `${challenge}AAAA`])
      assert.ok(!isChallengeOf(verifier, wrong));
  });
});
