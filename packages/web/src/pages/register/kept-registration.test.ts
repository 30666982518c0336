import assert from 'node:assert/strict';
import { forgetRegistration, keepRegistration, keptRegistrationToken } from './kept-registration.ts';

describe('the registration that a browser keeps', () => {
  const inMemory = () => {
    const kept = new Map<string, string>();
    return () => ({
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    });
  };
  const registration = { Email: 'Ann@Example.com ', RegistrationToken: 'x'.repeat(64) };

  it('is found for its own email until it is forgotten', () => {
    const store = inMemory();
    assert.equal(keptRegistrationToken('ann@example.com', store), undefined);
    keepRegistration(registration, store);
    assert.equal(keptRegistrationToken('ann@example.com', store), registration.RegistrationToken);
    for (const other of ['bob@example.com', '']) assert.equal(keptRegistrationToken(other, store), undefined);
    forgetRegistration(store);
    assert.equal(keptRegistrationToken('ann@example.com', store), undefined);
  });

  it('is missing, without an error, where nothing can be stored or something else is', () => {
    const disabled = (): never => {
      throw new Error('disabled');
    };
    keepRegistration(registration, disabled);
    assert.equal(keptRegistrationToken('ann@example.com', disabled), undefined);
    forgetRegistration(disabled);
    for (const text of ['', '{', '[]', '"x"', '{"Email":1}']) {
      const store = inMemory();
      store().setItem('registration', text);
      assert.equal(keptRegistrationToken('ann@example.com', store), undefined);
    }
  });
});
