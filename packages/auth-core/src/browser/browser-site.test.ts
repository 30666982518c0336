import assert from 'node:assert/strict';
import { browserCookie, browserSiteOf, clearedBrowserCookie, isAnotherName } from './browser-session.ts';

describe('the site of a browser session', () => {
  const lineOf = (purpose: 'pages' | 'console', url: string, seconds?: number) => {
    const site = browserSiteOf(purpose, url);
    return site && browserCookie(site, 'v', seconds);
  };

  it('has a cookie that its own origin alone can set, over https', () => {
    const rest = 'HttpOnly; SameSite=Strict; Secure';
    assert.equal(
      lineOf('pages', 'https://auth.example.com/accounts/'),
      `__Host-gatehouse=v; Path=/; ${rest}`,
    );
    const cookie = lineOf('console', 'https://admin.example.com:8443', 60);
    assert.equal(cookie, `__Host-gatehouse-console=v; Path=/; Max-Age=60; ${rest}`);
  });

  it('has one without TLS on this machine alone', () => {
    const rest = 'Path=/; HttpOnly; SameSite=Strict';
    for (const host of ['127.0.0.1:8080', 'localhost:8080', '[::1]:8080', '127.9.9.9', 'a.localhost'])
      assert.equal(lineOf('pages', `http://${host}`), `gatehouse-pages=v; ${rest}`, host);
    assert.equal(lineOf('console', 'http://127.0.0.1:8090'), `gatehouse-console=v; ${rest}`);
    for (const host of ['auth.example.com', '192.168.0.1', '127.example.com', '[::]'])
      assert.equal(browserSiteOf('pages', `http://${host}`), undefined, host);
  });

  it('has other names on this machine, with the same port and without TLS', () => {
    const site = (url: string) => browserSiteOf('console', url) ?? assert.fail(url);
    const local = site('http://127.0.0.1:8090');
    for (const origin of ['http://localhost:8090', 'http://127.0.0.1:8090', 'http://[::1]:8090'])
      assert.ok(isAnotherName(local, origin), origin);
    const odd = ['http://localhost.example.com:8090', 'null', 'localhost:8090'];
    for (const origin of ['http://localhost:8080', 'https://localhost:8090', ...odd])
      assert.ok(!isAnotherName(local, origin), origin);
    assert.ok(!isAnotherName(site('https://localhost:8090'), 'https://localhost:8090'));
    assert.ok(!isAnotherName(site('https://admin.example.com'), 'http://localhost'));
  });

  it('is identified by its origin, as browsers serialize it', () => {
    const site = browserSiteOf('pages', 'HTTPS://Auth.Example.com:443/x');
    assert.deepEqual([site?.origin, site?.host], ['https://auth.example.com', 'auth.example.com']);
    assert.equal(site?.isSecure, true);
  });

  it('clears the cookie', () => {
    const site = browserSiteOf('pages', 'http://127.0.0.1:8080');
    assert.ok(site);
    const cleared = 'gatehouse-pages=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict';
    assert.equal(clearedBrowserCookie(site), cleared);
  });
});
