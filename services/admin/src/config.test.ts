import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { readOrigins } from './config.ts';

describe('FACE_IMAGE_ORIGINS', () => {
  it('are https origins, or local ones', () => {
    assert.deepEqual(readOrigins(''), []);
    const given = 'https://images.example.com, http://127.0.0.1:9090,http://localhost';
    assert.deepEqual(readOrigins(given), [
      'https://images.example.com',
      'http://127.0.0.1:9090',
      'http://localhost',
    ]);
  });

  for (const list of [
    'http://images.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'https://images.example.com/',
    'https://a.example; script-src *',
    'data:',
    '*',
  ]) {
    it(`are not ${JSON.stringify(list)}`, () => {
      assert.throws(() => readOrigins(list), ConfigError);
    });
  }
});
