import assert from 'node:assert/strict';
import { createSecretBox } from './secrets.ts';

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
    ]) {
      assert.equal(other.open('one', sealed), undefined);
    }
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
