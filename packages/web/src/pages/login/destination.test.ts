import assert from 'node:assert/strict';
import { destinationOf, onTheWay, returnIn, thisPage } from './destination.ts';

const REQUEST = '/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fapp.example.com%2F&state=a%26b';
const APP = 'https://app.example.com/';

describe('redirect after login', () => {
  it('goes to the requested own page, an allowed URL, the app, or the account page', () => {
    for (const own of ['/profile/security', REQUEST]) assert.equal(destinationOf(own, undefined, APP), own);
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
    '/oauth/authorize/../evil?x',
    '/oauth/authorize.evil?x',
    '//evil.example/oauth/authorize?x',
    '/oauth/authorize?x#HandoverCode=y',
    ' /profile',
    'constructor',
    '',
  ]) {
    it(`never goes to ${JSON.stringify(wanted)} from the URL`, () => {
      assert.equal(destinationOf(wanted, undefined, APP), APP);
    });
  }
});

describe('the way to a login and back', () => {
  it('passes on where to go afterwards, unchanged', () => {
    const back = { returnUrl: REQUEST, state: 'a b', codeChallenge: 'y', sessionTag: 'web' };
    const { pathname, searchParams } = new URL(onTheWay('/login', back), APP);
    assert.equal(pathname, '/login');
    assert.deepEqual(returnIn(Object.fromEntries(searchParams)), back);
    assert.equal(onTheWay('/login', returnIn({})), '/login');
  });

  it('leads back to the path of a page, and to the whole request of an app', () => {
    assert.equal(thisPage(new URL('/profile/data?locale=de', APP)), '/profile/data');
    assert.equal(thisPage(new URL(REQUEST, APP)), REQUEST);
  });
});
