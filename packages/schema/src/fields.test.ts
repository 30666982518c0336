import assert from 'node:assert/strict';
import { emailKey, normalizeEmail } from './fields.ts';

describe('normalizeEmail', () => {
  for (const [typed, stored] of [
    ['Ann@Example.com', 'Ann@example.com'],
    [' ann@example.com ', 'ann@example.com'],
    ['ann＠example.com', 'ann@example.com'],
    ['ａｎｎ@example.com', 'ann@example.com'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann+tag@localhost', 'ann+tag@localhost'],
  ] as const) {
    it(`reads ${typed} as ${stored}`, () => assert.equal(normalizeEmail(typed), stored));
  }

  for (const typed of [
    '',
    '@',
    'ann',
    'ann@',
    '@example.com',
    'a@b@c.example',
    'ann@example..com',
    '.ann@example.com',
    '"ann smith"@example.com',
    'ann@example.com, bob@example.com',
    'ann@example.com\r\nBcc: bob@example.com',
    'ann@exa\u0000mple.com',
    'ann\ud800@example.com',
    'аnn@example.com', // a Cyrillic а
    'ann@[127.0.0.1]',
    `${'a'.repeat(65)}@example.com`,
    `ann@${'a'.repeat(64)}.com`,
  ]) {
    it(`refuses ${JSON.stringify(typed)}`, () => assert.equal(normalizeEmail(typed), undefined));
  }

  it('gives one key to every spelling of one address', () => {
    const keys = ['ANN@EXAMPLE.COM', 'ann@Example.com', 'ＡＮＮ＠ｅｘａｍｐｌｅ.com'].map((text) =>
      emailKey(normalizeEmail(text) ?? ''),
    );
    assert.deepEqual(new Set(keys), new Set(['ann@example.com']));
  });
});
