import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { newRsaJwk } from './new-rsa-jwk.ts';

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
