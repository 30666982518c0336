import assert from 'node:assert/strict';
import { createCodeHasher, hashInvitationToken, isChallengeOf, newCode } from './codes.ts';
import { newInvitationToken, newRecoveryCode, readCode, readRecoveryCode } from './codes.ts';
import { TEST_SECRET } from '../testing/index.ts';

describe('codes', () => {
  it('are eight Crockford characters, each as likely as any other', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 4000; i += 1) {
      const code = newCode();
      assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
      for (const symbol of code.replace('-', '')) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
    }
    assert.equal(counts.size, 32);
    // 1000 of each are expected; the limit is eight standard deviations.
    for (const [symbol, count] of counts) assert.ok(Math.abs(count - 1000) < 250, `${symbol} ${count}`);
  });

  it('for recovery are ten characters, read as people type them, and never mistaken for another kind', () => {
    const code = newRecoveryCode();
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    const symbols = code.replace('-', '');
    assert.equal(readRecoveryCode(` ${symbols.toLowerCase()} `), symbols);
    assert.equal(readCode(code), undefined);
    assert.equal(readRecoveryCode(newCode()), undefined);
  });

  const READ = ['01AB-CDEF', '01abcdef', ' 0 1 a b - c d e f ', 'oiab-cdef', 'OLAB–CDEF', '01ab\u00a0cdef'];
  for (const typed of READ)
    it(`reads ${JSON.stringify(typed)} as 01ABCDEF`, () => assert.equal(readCode(typed), '01ABCDEF'));

  const NO_CODES = ['', '01ABCDE', '01ABCDEFG', 'U1ABCDEF', '01ABCDE!', '０1ABCDEF', '0ıABCDEF', 'ſ1ABCDEF'];
  for (const typed of [...NO_CODES, '01ABCDE\u0000'])
    it(`refuses ${JSON.stringify(typed)}`, () => assert.equal(readCode(typed), undefined));
});

describe('createCodeHasher', () => {
  const { hash, equal } = createCodeHasher({ key: Buffer.from(TEST_SECRET) });
  const binding = { purpose: 'verify', accountId: 'a', email: 'ann@example.com' };

  it('gives one hash to one code and binding', () =>
    assert.ok(equal(hash(binding, '01ABCDEF'), hash({ ...binding }, '01ABCDEF'))));

  it('gives another for another code, purpose, account, email or secret, or where fields run together', () => {
    const hashes = [
      hash(binding, '01ABCDEF'),
      hash(binding, '01ABCDEG'),
      hash({ ...binding, purpose: 'reset' }, '01ABCDEF'),
      hash({ ...binding, accountId: 'b' }, '01ABCDEF'),
      hash({ ...binding, email: 'bob@example.com' }, '01ABCDEF'),
      hash({ ...binding, purpose: 'verifya', accountId: '' }, '01ABCDEF'),
      hash({ ...binding, purpose: 'verif', accountId: 'ya' }, '01ABCDEF'),
      createCodeHasher({ key: Buffer.from(`${TEST_SECRET}!`) }).hash(binding, '01ABCDEF'),
    ];
    assert.equal(new Set(hashes.map((bytes) => bytes.toString('hex'))).size, hashes.length);
  });

  it('compares hashes of any length', () => assert.equal(equal(Buffer.alloc(32), Buffer.alloc(0)), false));
});

describe('invitation tokens', () => {
  it('are 256 bits, kept as their hash', () => {
    const token = newInvitationToken();
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.notEqual(newInvitationToken(), token);
    assert.equal(hashInvitationToken(token).length, 32);
    assert.ok(hashInvitationToken(token).equals(hashInvitationToken(token)));
  });
});

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
