import assert from 'node:assert/strict';
import { redirectUriFault, uriFault } from './oauth.ts';

const PERMITTED = `
  https://app.example.com https://app.example.com/callback?tenant=7 https://app.example.com:8443/a/b
  https://xn--bcher-kva.example/callback http://127.0.0.1/callback http://localhost:3000/callback
  http://[::1]:1/ com.example.app:/callback com.example.app://callback`;
const REFUSED = String.raw`
  app.example.com/callback //app.example.com/callback http://app.example.com/callback
  http://127.0.0.1.example.com/ http://0.0.0.0/ http://192.168.1.20:3000/cb https://app.example.com/#fragment
  https://app.example.com/callback# https://*.example.com/callback https://ann@app.example.com/
  https://:secret@app.example.com/ https:app.example.com/callback https://app.example.com\@evil.example/
  https://bücher.example/callback https://app.example.com:99999/ javascript:alert(1) data:text/html,x
  file:///etc/passwd myapp:/callback urn:ietf:wg:oauth:2.0:oob javascript://x/%0aalert(1) data://text
  blob:https://app.example.com/x intent://x c:/x 1app://x
  https://app.example.com:0/ https://app.example.com:00/`;

describe('a redirect address', () => {
  for (const uri of PERMITTED.trim().split(/\s+/))
    it(`may be ${uri}`, () => assert.equal(redirectUriFault(uri), undefined));

  for (const uri of [
    ...REFUSED.trim().split(/\s+/),
    ...[' https://app.example.com/', 'https://app.example.com/\n', '\u0001https://app.example.com/'],
    ...['https://app.\texample.com/', 'https://app.example.com/a b', 'https:\\\\app.example.com\\a'],
    ...['code', 'state', 'iss', 'error', 'error_description', '%63ode'].flatMap((name) => [
      `https://app.example.com/callback?tenant=7&${name}=x`,
      `com.example.app:/callback?${name}`,
    ]),
  ])
    it(`may not be ${JSON.stringify(uri)}`, () => assert.ok(redirectUriFault(uri)));

  it('for after logging out may have all of them but the state', () => {
    assert.equal(redirectUriFault('https://app.example.com/?code=1&error=2', ['state']), undefined);
    for (const uri of ['https://app.example.com/?state=1', 'javascript:alert(1)'])
      assert.ok(redirectUriFault(uri, ['state']), uri);
  });

  it('is another thing than a resource, which is any absolute URI without a fragment', () => {
    for (const uri of ['https://api.example.com', 'urn:example:orders'])
      assert.equal(uriFault(uri), undefined, uri);
    for (const uri of ['gatehouse', 'orders/1', 'https://api.example.com/#a', 'urn:x:*', 'https://a b'])
      assert.ok(uriFault(uri), uri);
  });
});
