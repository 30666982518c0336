import assert from 'node:assert/strict';
import { base32Bytes, totpCode } from '../testing/index.ts';
import { matchTotp, newTotpSecret, readTotpCode, totpSetup } from './totp.ts';

const STEP = 30_000;

describe('codes of authenticator apps', () => {
  // RFC 6238, appendix B, SHA-1; six digits are the last six of the eight there.
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const)
    it(`are those of RFC 6238 at ${seconds} s`, () => {
      const secret = Buffer.from('12345678901234567890');
      assert.equal(totpCode(secret, seconds * 1000), code);
      assert.equal(matchTotp(secret, code, seconds * 1000), Math.floor(seconds / 30));
    });

  it('are taken one step around the present one, each as its own step', () => {
    const secret = newTotpSecret();
    for (const within of [0, STEP - 1]) {
      const now = 50_000_000 * STEP + within;
      const match = (steps: number) => matchTotp(secret, totpCode(secret, now + steps * STEP), now);
      assert.deepEqual([-1, 0, 1].map(match), [49_999_999, 50_000_000, 50_000_001]);
      assert.deepEqual([-3, -2, 2, 3].map(match), Array(4).fill(undefined));
    }
  });

  it('are of one secret', () => {
    const now = 50_000_000 * STEP;
    const code = totpCode(Buffer.alloc(20, 1), now);
    assert.equal(matchTotp(Buffer.alloc(20, 2), code, now), undefined);
    assert.equal(matchTotp(Buffer.alloc(20, 1), '', now), undefined);
  });

  it('are set up with a 160-bit secret, given as text and as a URI', () => {
    const secret = newTotpSecret();
    assert.equal(secret.length, 20);
    const { Secret, OtpAuthUri } = totpSetup(secret, { issuer: 'Gate house', label: 'ann+1@example.com' });
    assert.deepEqual(base32Bytes(Secret), secret);
    const uri = new URL(OtpAuthUri);
    assert.equal(uri.protocol + uri.host, 'otpauth:totp');
    assert.equal(decodeURIComponent(uri.pathname), '/Gate house:ann+1@example.com');
    const how = { algorithm: 'SHA1', digits: '6', period: '30' };
    assert.deepEqual(Object.fromEntries(uri.searchParams), { issuer: 'Gate house', secret: Secret, ...how });
  });

  it('are read as people type them', () => {
    for (const typed of ['012345', '012 345', ' 012-345\u00a0']) assert.equal(readTotpCode(typed), '012345');
    for (const typed of ['', '12345', '1234567', '12345a', '０12345', '+12345'])
      assert.equal(readTotpCode(typed), undefined, typed);
  });
});
