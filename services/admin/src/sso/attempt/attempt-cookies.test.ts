import assert from 'node:assert/strict';
import { cookieName, cookieText, forgottenText, excessCookies } from './attempts.ts';

const DIGEST = Buffer.alloc(32, 0xab);

describe('the cookie of a sign-on', () => {
  const lineOf = (url: string) => cookieText(cookieName(DIGEST, url), 'v', url, 600);

  it('has a name over https that other subdomains cannot set', () => {
    const url = 'https://admin.example.com/sso/auth/corp/callback';
    assert.equal(
      lineOf(url),
      `__Host-sso_${'ab'.repeat(12)}=v; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure`,
    );
    assert.match(forgottenText(cookieName(DIGEST, url), url), /^__Host-.*=; Path=\/; Max-Age=0; .*; Secure$/);
  });

  it('goes to the provider’s paths alone on http', () => {
    const shown = lineOf('http://127.0.0.1:8090/auth/corp/callback');
    assert.equal(shown, `sso_${'ab'.repeat(12)}=v; Path=/auth/corp; Max-Age=600; HttpOnly; SameSite=Lax`);
  });

  it('makes room for newer ones under either name, and for nothing else', () => {
    const names = ['https://a.test/x', 'http://localhost/x'].map((url) => cookieName(DIGEST, url));
    const sent = [...names, '__Host-gatehouse-console', 'sso_x'].map((name) => `${name}=${'v'.repeat(3000)}`);
    assert.deepEqual(excessCookies(sent.join('; '), 4000), names);
    assert.deepEqual(excessCookies(sent.join('; '), 1000), names.slice(0, 1));
  });
});
