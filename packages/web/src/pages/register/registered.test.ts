import assert from 'node:assert/strict';
import { forgetRegistration, keepRegistration, keptRegistration } from './registered.ts';

describe('the registration that a browser keeps', () => {
  const inMemory = () => {
    const kept = new Map<string, string>();
    return () => ({
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    });
  };
  const back = { returnUrl: '/oauth/authorize?client_id=x' };
  const registration = { Email: 'Ann@Example.com ', RegistrationToken: 'x'.repeat(64), back };

  it('is found for its own email until it is forgotten', () => {
    const store = inMemory();
    assert.equal(keptRegistration('ann@example.com', store), undefined);
    keepRegistration(registration, store);
    assert.deepEqual(keptRegistration('ann@example.com', store), registration);
    for (const other of ['bob@example.com', '']) assert.equal(keptRegistration(other, store), undefined);
    forgetRegistration(store);
    assert.equal(keptRegistration('ann@example.com', store), undefined);
  });

  it('is missing, without an error, where nothing can be stored or something else is', () => {
    const disabled = (): never => {
      throw new Error('disabled');
    };
    keepRegistration(registration, disabled);
    assert.equal(keptRegistration('ann@example.com', disabled), undefined);
    forgetRegistration(disabled);
    for (const text of ['', '{', '[]', '"x"', '{"Email":1}']) {
      const store = inMemory();
      store().setItem('registration', text);
      assert.equal(keptRegistration('ann@example.com', store), undefined);
    }
  });
});
