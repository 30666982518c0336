import assert from 'node:assert/strict';
import { randomBytes, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { openSealed, sealingKeysOf, sealTo } from './sealed-box.ts';
import { newP256Jwk } from './new-jwk.ts';
import { createSecretBox } from './secrets.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

describe('sealed boxes', () => {
  const keys = sealingKeysOf(randomBytes(32));
  const context = { info: 'tests', aad: 'one' };
  const plain = Buffer.from('A1B2-C3D4');

  it('open what the test vector of RFC 9180 (A.1.1) seals', () => {
    const recipient = sealingKeysOf(hex('4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8'));
    const publicKey = '3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d';
    assert.equal(recipient.publicKey.toString('hex'), publicKey);
    const sealed = hex(
      '37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431' +
        'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a',
    );
    const info = hex('4f6465206f6e2061204772656369616e2055726e').toString();
    const opened = openSealed(recipient, { info, aad: 'Count-0' }, sealed);
    assert.equal(opened?.toString(), 'Beauty is truth, truth beauty');
  });

  it('are opened by the private key alone, and look different every time', () => {
    const sealed = sealTo(keys.publicKey, context, plain);
    assert.deepEqual(openSealed(keys, context, sealed), plain);
    assert.equal(openSealed(sealingKeysOf(randomBytes(32)), context, sealed), undefined);
    // With only the public key, the sealing side cannot open anything.
    assert.equal(openSealed(sealingKeysOf(keys.publicKey), context, sealed), undefined);
    assert.notDeepEqual(sealTo(keys.publicKey, context, plain), sealed);
  });

  it('do not open elsewhere, for another purpose, or after any change', () => {
    const sealed = sealTo(keys.publicKey, context, plain);
    assert.equal(openSealed(keys, { ...context, aad: 'two' }, sealed), undefined);
    assert.equal(openSealed(keys, { ...context, info: 'else' }, sealed), undefined);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal(openSealed(keys, context, changed), undefined, `byte ${at}`);
    }
    assert.equal(openSealed(keys, context, sealed.subarray(0, 47)), undefined);
    assert.equal(openSealed(keys, context, Buffer.alloc(80)), undefined);
  });
});

describe('newP256Jwk', () => {
  it('creates keys whose public half verifies what they sign, also with leading zeros', () => {
    for (let i = 0; i < 600; i += 1) {
      const { d, ...publicJwk } = newP256Jwk();
      for (const part of [d, publicJwk.x, publicJwk.y])
        assert.equal(Buffer.from(part, 'base64url').length, 32);
      if (i > 20 && Buffer.from(d, 'base64url')[0] !== 0) continue;
      const key = createPrivateKey({ format: 'jwk', key: { ...publicJwk, d } });
      const signature = sign('sha256', Buffer.from('text'), key);
      const publicKey = createPublicKey({ format: 'jwk', key: { ...publicJwk } });
      assert.ok(verify('sha256', Buffer.from('text'), publicKey, signature));
    }
  });
});

describe('a secret box', () => {
  const box = createSecretBox('for tests alone, as everybody can read it', 'test');
  const secret = Buffer.from('a secret');

  it('opens what it sealed, and the plaintext is not visible', () => {
    const sealed = box.seal('one', secret);
    assert.deepEqual(box.open('one', sealed), secret);
    assert.equal(sealed.includes(secret), false);
    assert.notDeepEqual(box.seal('one', secret), sealed);
  });

  it('refuses another context, key or purpose', () => {
    const sealed = box.seal('one', secret);
    assert.equal(box.open('another', sealed), undefined);
    for (const other of [
      createSecretBox('for tests alone, but another one than that', 'test'),
      createSecretBox('for tests alone, as everybody can read it', 'another'),
    ])
      assert.equal(other.open('one', sealed), undefined);
  });

  it('refuses changed or truncated input', () => {
    const sealed = box.seal('one', secret);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal(box.open('one', changed), undefined, `byte ${at}`);
      assert.equal(box.open('one', sealed.subarray(0, at)), undefined, `${at} bytes`);
    }
  });
});
