import assert from 'node:assert/strict';
import { parseEmails } from './parse-emails.ts';

describe('pasted addresses', () => {
  for (const [pasted, found] of [
    ['', []],
    ['ann@example.com', ['ann@example.com']],
    ['ann@example.com\nben@example.com\r\n\n', ['ann@example.com', 'ben@example.com']],
    [
      'ann@example.com, ben@example.com;cleo@example.com',
      ['ann@example.com', 'ben@example.com', 'cleo@example.com'],
    ],
    [
      'ann@example.com ben@example.com\tcleo@example.com',
      ['ann@example.com', 'ben@example.com', 'cleo@example.com'],
    ],
    ['Ann Lee <ann@example.com>, "Ben" <ben@example.com>', ['ann@example.com', 'ben@example.com']],
    ['Ann@Example.com, ann@example.com', ['Ann@Example.com']],
    // An invalid address is not dropped silently: the API reports it.
    ['ann.example.com', ['ann.example.com']],
  ] as const) {
    it(`are found in ${JSON.stringify(pasted)}`, () => assert.deepEqual(parseEmails(pasted), found));
  }
});
