import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { readPasskeySite } from './passkey-site.ts';

const given = {
  rpId: undefined,
  rpName: 'Lark',
  origins: '',
  pagesUrl: 'https://auth.example.com',
  consoleUrl: 'https://admin.example.com/',
};

describe('the site of passkeys', () => {
  const app = 'android:apk-key-hash:Li_SVSuCtWzZCZ5TvRKaoFoTBHRGl6lY9IHCRcm0-5s';
  const standard = ['https://auth.example.com', 'https://admin.example.com'];
  const chosen = ['https://example.com', 'https://app.example.org:8443', app];
  const local = { pagesUrl: 'http://localhost:8080', consoleUrl: 'http://127.0.0.1:8090' };
  for (const [what, changes, rpId, origins] of [
    ['the host of the pages, used there and in the console', {}, 'auth.example.com', standard],
    [
      'a domain and origins of one’s own choice',
      { rpId: 'example.com', origins: `${chosen.slice(0, 2).join(', ')},https://example.com,${app}` },
      'example.com',
      chosen,
    ],
    ['also an Android app, besides the default', { origins: app }, 'auth.example.com', [...standard, app]],
    [
      'localhost on one machine, also where the console is named by its address',
      local,
      'localhost',
      ['http://localhost:8080', 'http://localhost:8090'],
    ],
  ] as const)
    it(`is ${what}`, () => {
      const site = { rpId, rpName: 'Lark', origins };
      assert.deepEqual(readPasskeySite({ ...given, ...changes }), { kind: 'on', site });
    });

  for (const [pagesUrl, host] of [
    ['http://127.0.0.1:8080', '127.0.0.1'],
    ['https://192.0.2.7', '192.0.2.7'],
    ['https://[2001:db8::1]:8443', '[2001:db8::1]'],
  ] as const)
    it(`is nowhere at ${pagesUrl}`, () =>
      assert.deepEqual(readPasskeySite({ ...given, pagesUrl }), { kind: 'off', host }));

  for (const rpId of ['127.0.0.1', 'https://example.com', 'Example.com', 'example.com:443', 'a..b', ''])
    it(`is refused to be bound to "${rpId}"`, () =>
      assert.throws(() => readPasskeySite({ ...given, rpId }), ConfigError));

  const SHORT = 'android:apk-key-hash:Li_SVSuCtWzZCZ5TvRKaoFoTBHRGl6lY9IHCRcm0';
  const PATHS = ['https://example.com/', 'https://example.com/a'];
  for (const origins of ['example.com', ...PATHS, 'ftp://example.com', SHORT, '*'])
    it(`is refused to be used at "${origins}"`, () =>
      assert.throws(() => readPasskeySite({ ...given, origins }), ConfigError));
});
