import assert from 'node:assert/strict';
import { isRegisteredRedirect, redirectTo } from './authorization-request.ts';

const WEB = 'https://app.example/oauth/callback';
const WITH_QUERY = 'https://app.example/back?tenant=7';
const LOOPBACK = 'http://127.0.0.1/callback';
const ROOT = 'http://127.0.0.1/';
const LOOPBACK_6 = 'http://[::1]:8000/callback';
const CUSTOM = 'com.example.app:/callback';
const LOCALHOST = 'http://localhost:3000/callback';
const REGISTERED = [WEB, WITH_QUERY, LOOPBACK, ROOT, LOOPBACK_6, CUSTOM, LOCALHOST];

/** Other spellings, and addresses of others. */
const WRONG = `
  https://app.example/oauth/callback/ https://app.example/oauth/callback?x=1 https://app.example/oauth/callback#
  https://app.example/oauth/callback/../callback https://app.example/oauth/%63allback
  https://app.example/OAuth/callback HTTPS://app.example/oauth/callback https://APP.example/oauth/callback
  https://app.example:443/oauth/callback http://app.example/oauth/callback /oauth/callback
  https://evil.example/oauth/callback https://app.example.evil.example/oauth/callback
  https://app.example@evil.example/oauth/callback https://user:secret@app.example/oauth/callback
  https://аpp.example/oauth/callback https://app.example/back https://app.example/back?tenant=8
  javascript:alert(1)//https://app.example/oauth/callback com.example.app://callback com.example.evil:/callback
  http://127.0.0.1/other http://127.0.0.1:1/callback?x http://127.0.0.1:0/callback
  http://127.0.0.1:65536/callback http://127.0.0.1:80@evil.example/callback
  http://127.0.0.1.evil.example/callback http://127.0.0.2/callback http://127.1/callback
  http://0x7f000001/callback https://127.0.0.1/callback http://[0:0:0:0:0:0:0:1]/callback
  http://[::ffff:127.0.0.1]/callback http://localhost:3001/callback http://localhost/callback`
  .trim()
  .split(/\s+/)
  .concat(
    '',
    'https://app.example/oauth/callback ',
    'https://app.example/oauth/callback\u0000',
    'https://app.example/oauth\\callback',
    'https://evil.example\\@app.example/oauth/callback',
  );

describe('a redirect URI', () => {
  const isRegistered = (uri: string, isPublic = true, anyLocalhostPort = false) =>
    isRegisteredRedirect({ redirectUris: REGISTERED, isPublic, anyLocalhostPort }, uri);

  it('is accepted as it was registered', () => {
    for (const uri of REGISTERED) assert.ok(isRegistered(uri) && isRegistered(uri, false), uri);
  });

  it('is refused in every other spelling', () => {
    for (const uri of WRONG) assert.equal(isRegistered(uri), false, JSON.stringify(uri));
  });

  it('of the loopback address has any port, for a public client', () => {
    for (const uri of [
      'http://127.0.0.1:1/callback',
      'http://127.0.0.1:65535/callback',
      'http://[::1]/callback',
      'http://127.0.0.1:51234',
    ])
      assert.deepEqual([isRegistered(uri), isRegistered(uri, false)], [true, false], uri);
  });

  it('of localhost has any port if the client may use any, and nothing else of another spelling', () => {
    const others = ['http://localhost:3001/callback', 'http://localhost/callback'];
    for (const uri of others)
      assert.deepEqual([isRegistered(uri, true, true), isRegistered(uri, false, true)], [true, false], uri);
    for (const uri of [
      ...WRONG.filter((one) => !others.includes(one)),
      'http://localhost.evil.example/callback',
    ])
      assert.equal(isRegistered(uri, true, true), false, JSON.stringify(uri));
  });

  it('keeps its query, and gets the answer behind it', () => {
    assert.equal(
      redirectTo(WITH_QUERY, { code: 'a b&c#d', state: undefined }),
      'https://app.example/back?tenant=7&code=a+b%26c%23d',
    );
    assert.equal(redirectTo(CUSTOM, { error: 'x' }), 'com.example.app:/callback?error=x');
  });
});
