import assert from 'node:assert/strict';
import { firstFactor, otherFactors } from './second-factor.ts';

const PASSKEY = { challenge: 'AAAA' };

describe('selection of the second factor', () => {
  it('is the authenticator app if there is one, with a passkey or a recovery code as alternatives', () => {
    const factors = { names: ['Totp', 'RecoveryCode', 'Passkey'], passkey: PASSKEY };
    assert.equal(firstFactor(factors, true), 'Totp');
    assert.deepEqual(otherFactors(factors, 'Totp'), ['RecoveryCode']);
    assert.deepEqual(otherFactors(factors, 'RecoveryCode'), ['Totp']);
  });

  it('is a passkey without an app', () => {
    const factors = { names: ['RecoveryCode', 'Passkey'], passkey: PASSKEY };
    assert.equal(firstFactor(factors, true), 'Passkey');
    assert.deepEqual(otherFactors(factors, 'Passkey'), ['RecoveryCode']);
    assert.deepEqual(otherFactors(factors, 'RecoveryCode'), []);
  });

  it('is a recovery code in a browser without passkeys', () => {
    assert.equal(
      firstFactor({ names: ['RecoveryCode', 'Passkey'], passkey: PASSKEY }, false),
      'RecoveryCode',
    );
  });
});
