import assert from 'node:assert/strict';
import { destinationOf } from './destination.ts';

const APP = 'https://app.example.com/';

describe('redirect after login', () => {
  it('goes to the requested own page, an allowed URL, the app, or the account page', () => {
    assert.equal(destinationOf('/profile/security', undefined, APP), '/profile/security');
    assert.equal(
      destinationOf('https://one.example.com/', 'https://one.example.com/', APP),
      'https://one.example.com/',
    );
    assert.equal(destinationOf(undefined, undefined, APP), APP);
    assert.equal(destinationOf(undefined, undefined, undefined), '/profile');
  });

  for (const wanted of [
    'https://evil.example/',
    '//evil.example/profile',
    String.raw`/\evil.example`,
    'javascript:alert(1)',
    '/profile?x',
    '/profile/../evil',
    ' /profile',
    'constructor',
    '',
  ]) {
    it(`never goes to ${JSON.stringify(wanted)} from the URL`, () => {
      assert.equal(destinationOf(wanted, undefined, APP), APP);
    });
  }
});
