import assert from 'node:assert/strict';
import { firstFactor, otherFactors } from './second-factors.ts';

const PASSKEY = { challenge: 'AAAA' };

describe('what a second factor is asked for by', () => {
  it('is the app where there is one, and a passkey or a recovery code in its place', () => {
    const factors = { names: ['Totp', 'RecoveryCode', 'Passkey'], passkey: PASSKEY };
    assert.equal(firstFactor(factors, true), 'Totp');
    assert.deepEqual(otherFactors(factors, 'Totp'), ['RecoveryCode']);
    assert.deepEqual(otherFactors(factors, 'RecoveryCode'), ['Totp']);
  });

  it('is a passkey without an app, and never an app that is not there', () => {
    const factors = { names: ['RecoveryCode', 'Passkey'], passkey: PASSKEY };
    assert.equal(firstFactor(factors, true), 'Passkey');
    assert.deepEqual(otherFactors(factors, 'Passkey'), ['RecoveryCode']);
    assert.deepEqual(otherFactors(factors, 'RecoveryCode'), []);
  });

  it('is a recovery code in a browser that knows no passkeys', () => {
    assert.equal(
      firstFactor({ names: ['RecoveryCode', 'Passkey'], passkey: PASSKEY }, false),
      'RecoveryCode',
    );
  });
});
