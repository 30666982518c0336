import assert from 'node:assert/strict';
import { withLocalStorage } from '../../testing/memory.ts';
import { destinationOf, onTheWay, returnIn, thisPage } from '../page.ts';
import { forgetRequest, isDue, keepRequest, keptRequest, linkedCode } from './kept.ts';

const REQUEST = '/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fapp.example.com%2F&state=a%26b';
const APP = 'https://app.example.com/';

describe('redirect after login', () => {
  it('goes to the requested own page, an allowed URL, the app, or the account page', () => {
    for (const own of ['/profile/security', REQUEST]) assert.equal(destinationOf(own, undefined, APP), own);
    const one = 'https://one.example.com/';
    assert.equal(destinationOf(one, one, APP), one);
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

describe('a kept request for a login code', () => {
  const KEPT = { Email: 'ann@example.com', RequestToken: 'token', search: '?returnUrl=x' };

  withLocalStorage();

  it('is found for ten minutes, and not after it is forgotten', () => {
    assert.equal(keptRequest(), undefined);
    keepRequest(KEPT, 1000);
    assert.deepEqual(keptRequest(601_000), KEPT);
    assert.equal(keptRequest(601_001), undefined);
    forgetRequest();
    assert.equal(keptRequest(1000), undefined);
  });
});

describe('linkedCode', () => {
  it('is the code of a link, and no other text', () => {
    for (const code of ['7KQ2-M9XD', '7kq2m9xd']) assert.equal(linkedCode(code), code);
    for (const text of [undefined, '', '7KQ2-M9X', 'Call us: 0800', '<b>12345</b>'])
      assert.equal(linkedCode(text), undefined);
  });
});

const DAY_MS = 24 * 3_600_000;
const NOW = Date.parse('2026-11-22T12:00:00Z');

describe('the offer of a passkey', () => {
  withLocalStorage();

  for (const [kept, expected] of [
    [null, true],
    [NOW - 30 * DAY_MS, true],
    [NOW - 30 * DAY_MS + 1, false],
    [NOW, false],
    [NOW + DAY_MS, true],
    ['soon', true],
  ] as const) {
    it(`is ${expected ? '' : 'not '}due where the last one is kept as ${kept}`, () => {
      if (kept !== null) localStorage.setItem('passkey-offered-at', String(kept));
      assert.equal(isDue(NOW), expected);
    });
  }
});

it('the offer of a passkey is never due without storage, as it would appear every time', () => {
  Reflect.deleteProperty(globalThis, 'localStorage'); // Node 26 has its own, and warns.
  assert.equal(isDue(NOW), false);
});
