import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { newP256Jwk, newRsaJwk } from './new-jwk.ts';

describe('newP256Jwk', () => {
  it('creates keys whose public half verifies what they sign, also with leading zeros', () => {
    for (let i = 0; i < 600; i += 1) {
      const { d, ...publicJwk } = newP256Jwk();
      for (const part of [d, publicJwk.x, publicJwk.y])
        assert.equal(Buffer.from(part, 'base64url').length, 32);
      if (i > 20 && Buffer.from(d, 'base64url')[0] !== 0) continue;
      const signature = sign(
        'sha256',
        Buffer.from('text'),
        createPrivateKey({ format: 'jwk', key: { ...publicJwk, d } }),
      );
      const publicKey = createPublicKey({ format: 'jwk', key: { ...publicJwk } });
      assert.ok(verify('sha256', Buffer.from('text'), publicKey, signature));
    }
  });
});

describe('newRsaJwk', () => {
  it('creates keys of 2048 bits whose public half verifies what they sign', () => {
    const jwk = newRsaJwk();
    const { kty, n, e } = jwk;
    const signature = sign(
      'sha256',
      Buffer.from('text'),
      createPrivateKey({ format: 'jwk', key: { ...jwk } }),
    );
    const publicKey = createPublicKey({ format: 'jwk', key: { kty, n, e } });
    assert.ok(verify('sha256', Buffer.from('text'), publicKey, signature));
    assert.equal(publicKey.asymmetricKeyDetails?.modulusLength, 2048);
  });
});
