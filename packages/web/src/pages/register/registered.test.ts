import assert from 'node:assert/strict';
import { withLocalStorage } from '../../testing/memory.ts';
import { forgetRegistration, keepRegistration, keptRegistration } from './registered.ts';

const REGISTRATION = {
  Email: 'Ann@Example.com ',
  RegistrationToken: 'x'.repeat(64),
  back: { returnUrl: '/oauth/authorize?client_id=x' },
};

describe('the registration that a browser keeps', () => {
  withLocalStorage();

  it('is found for its own email until it is forgotten', () => {
    assert.equal(keptRegistration('ann@example.com'), undefined);
    keepRegistration(REGISTRATION);
    assert.deepEqual(keptRegistration('ann@example.com'), REGISTRATION);
    for (const other of ['bob@example.com', '']) assert.equal(keptRegistration(other), undefined);
    forgetRegistration();
    assert.equal(keptRegistration('ann@example.com'), undefined);
  });

  it('is missing, without an error, where something else is stored', () => {
    for (const text of ['', '{', '[]', '"x"', '{"Email":1}']) {
      localStorage.setItem('registration', text);
      assert.equal(keptRegistration('ann@example.com'), undefined);
    }
  });
});

it('nothing is kept, without an error, by a browser without storage', () => {
  keepRegistration(REGISTRATION);
  assert.equal(keptRegistration('ann@example.com'), undefined);
  forgetRegistration();
});
