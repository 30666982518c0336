import assert from 'node:assert/strict';
import { forgetRequest, keepRequest, keptRequest, linkedCode } from './kept-request.ts';

describe('a kept request for a login code', () => {
  const newStore = () => {
    const items = new Map<string, string>();
    return () => ({
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    });
  };
  const REQUEST = { Email: 'ann@example.com', RequestToken: 'token', search: '?returnUrl=x' };

  it('is found for ten minutes, and not after it is forgotten', () => {
    const store = newStore();
    assert.equal(keptRequest(store), undefined);
    keepRequest(REQUEST, store, 1000);
    assert.deepEqual(keptRequest(store, 601_000), REQUEST);
    assert.equal(keptRequest(store, 601_001), undefined);
    forgetRequest(store);
    assert.equal(keptRequest(store, 1000), undefined);
  });

  it('is not kept by a browser without storage', () => {
    const broken = (): never => {
      throw new Error('no storage');
    };
    keepRequest(REQUEST, broken);
    assert.equal(keptRequest(broken), undefined);
    forgetRequest(broken);
  });
});

describe('linkedCode', () => {
  it('is the code of a link, and no other text', () => {
    for (const code of ['7KQ2-M9XD', '7kq2m9xd']) assert.equal(linkedCode(code), code);
    for (const text of [undefined, '', '7KQ2-M9X', 'Call us: 0800', '<b>12345</b>'])
      assert.equal(linkedCode(text), undefined);
  });
});
