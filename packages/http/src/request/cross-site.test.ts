import assert from 'node:assert/strict';
import { browserSiteOf } from '@gatehouse/auth-core';
import { browserCookieOf, refuseCrossSite } from './browser-cookie.ts';

const siteAt = (url: string, purpose: 'console' | 'pages' = 'console') =>
  browserSiteOf(purpose, url) ?? assert.fail(url);
const local = siteAt('http://127.0.0.1:8090');
const remote = siteAt('https://admin.example.com');

const ownOrigin = { origin: remote.origin };

describe('a request with a cookie', () => {
  for (const [what, site, headers, isTaken] of [
    ['of its own page', remote, { 'sec-fetch-site': 'same-origin' }, true],
    ['of a sibling', remote, { 'sec-fetch-site': 'same-site', origin: remote.origin }, false],
    ['of a sibling that names our origin', remote, { ...ownOrigin, 'sec-fetch-site': 'same-site' }, false],
    ['of another site', remote, { ...ownOrigin, 'sec-fetch-site': 'cross-site' }, false],
    ['of the address bar', remote, { ...ownOrigin, 'sec-fetch-site': 'none' }, false],
    ['of no site', remote, { ...ownOrigin, 'sec-fetch-site': '' }, false],
    ['of a site in capitals', remote, { 'sec-fetch-site': 'Same-Origin' }, false],
    ['of two sites', remote, { 'sec-fetch-site': 'same-origin, cross-site' }, false],
    ['of nobody', remote, {}, false],
    ['of an opaque origin', remote, { origin: 'null' }, false],
    ['of its own origin with a port', remote, { origin: `${remote.origin}:443` }, false],
    ['of its own origin with a path', remote, { origin: `${remote.origin}/` }, false],
    ['of an origin that begins like its own', remote, { origin: `${remote.origin}.evil.test` }, false],
    ['of its own host without TLS', remote, { origin: 'http://admin.example.com' }, false],
    ['of its own page in an older browser', remote, { origin: remote.origin }, true],
    ['of a name of its own making', remote, { origin: 'http://localhost', host: 'localhost' }, false],
    ['of another name of this machine', local, at('localhost:8090'), true],
    ['of another name than it is sent to', local, { ...at('localhost:8090'), host: '127.0.0.1:8090' }, false],
    ['of another port', local, at('localhost:8080'), false],
    ['of a name that leads here', local, at('evil.example:8090'), false],
    [
      'of another name, by another site',
      local,
      { ...at('localhost:8090'), 'sec-fetch-site': 'cross-site' },
      false,
    ],
  ] as const)
    it(`${what} is ${isTaken ? 'taken' : 'refused'}`, () => {
      const ask = () => refuseCrossSite({ headers }, site);
      if (isTaken) ask();
      else assert.throws(ask, { code: 'cross_site' });
    });

  it('has one value, in a single cookie of the own name', () => {
    const name = '__Host-gatehouse-console';
    for (const [cookie, value] of [
      [`a=b; ${name}=v; c`, 'v'],
      [`x;;=;${name} = v `, 'v'],
      [`${name}=v; ${name}=v`, ''],
      [`${name}=; ${name}=v`, ''],
      [`${name}="v"`, '"v"'],
      [name, undefined],
      [`x${name}=v`, undefined],
      [`${name.toUpperCase()}=v`, undefined],
      ['gatehouse-console=v', undefined],
    ] as const)
      assert.equal(browserCookieOf({ headers: { cookie } }, [remote])?.value, value, cookie);
  });

  it('on one host with two sites is for the site whose port it names', () => {
    const sites = [siteAt('http://localhost:8080', 'pages'), local];
    const cookie = 'gatehouse-pages=p; gatehouse-console=c';
    for (const [host, value] of [
      ['localhost:8080', 'p'],
      ['127.0.0.1:8080', 'p'],
      ['localhost:8090', 'c'],
      ['127.0.0.1:8090', 'c'],
    ] as const)
      assert.equal(browserCookieOf({ headers: { cookie, host } }, sites)?.value, value, host);
  });
});

function at(host: string) {
  return { origin: `http://${host}`, host };
}
