import assert from 'node:assert/strict';
import { inMemory, noStorage } from '../../testing/memory.ts';
import { forgetRegistration, keepRegistration, keptRegistration } from './registered.ts';

describe('the registration that a browser keeps', () => {
  const memory = inMemory();
  const store = () => memory;
  const back = { returnUrl: '/oauth/authorize?client_id=x' };
  const registration = { Email: 'Ann@Example.com ', RegistrationToken: 'x'.repeat(64), back };

  it('is found for its own email until it is forgotten', () => {
    assert.equal(keptRegistration('ann@example.com', store), undefined);
    keepRegistration(registration, store);
    assert.deepEqual(keptRegistration('ann@example.com', store), registration);
    for (const other of ['bob@example.com', '']) assert.equal(keptRegistration(other, store), undefined);
    forgetRegistration(store);
    assert.equal(keptRegistration('ann@example.com', store), undefined);
  });

  it('is missing, without an error, where nothing can be stored or something else is', () => {
    keepRegistration(registration, noStorage);
    assert.equal(keptRegistration('ann@example.com', noStorage), undefined);
    forgetRegistration(noStorage);
    for (const text of ['', '{', '[]', '"x"', '{"Email":1}']) {
      memory.setItem('registration', text);
      assert.equal(keptRegistration('ann@example.com', store), undefined);
    }
  });
});
