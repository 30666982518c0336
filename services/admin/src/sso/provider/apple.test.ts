import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { someEmail } from '@gatehouse/accounts/testing';
import { personClaims, useSso } from '../testing/browser.ts';
import { CLIENT } from '../testing/provider.ts';
import { nameIn } from './apple.ts';

const [TEAM, KEY] = ['A123456789', 'B123456789'];

/** Apple as its documentation describes it ("Sign in with Apple REST API"). */
describe('signing on with Apple', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = (key = pair.privateKey) => key.export({ type: 'pkcs8', format: 'pem' });
  const settings = { kind: 'apple', teamId: TEAM, keyId: KEY, provisioning: 'jit' };
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const sso = useSso({
    apple: { ...settings, clientSecret: pem() },
    wrong: { ...settings, clientSecret: pem(other) },
  });

  const secrets: string[] = [];
  /** The client secret is a JWT for Apple, which the key of the account has signed (RFC 7523). */
  const isClient = (issuer: string) => (form: URLSearchParams) => {
    const [header = '', payload = '', signature = ''] = (form.get('client_secret') ?? '').split('.');
    secrets.push(signature);
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    const { iss, sub, aud, iat, exp } = read(payload);
    const key = { key: createPublicKey(pem()), dsaEncoding: 'ieee-p1363' } as const;
    const signed = Buffer.from(`${header}.${payload}`);
    const isSigned = verify('sha256', signed, key, Buffer.from(signature, 'base64url'));
    assert.deepEqual(read(header), { alg: 'ES256', kid: KEY });
    assert.deepEqual([iss, sub, aud, exp - iat], [TEAM, CLIENT.clientId, issuer, 300]);
    assert.equal(form.get('client_id'), CLIENT.clientId);
    return isSigned && Math.abs(iat - Date.now() / 1000) < 30;
  };
  const bare = (email: string, more: object = {}) => {
    const { name: _, ...claims } = personClaims(email, { email_verified: 'true', nonce_supported: true });
    return { ...claims, ...more };
  };
  /** Signs on as a browser does: Apple's page posts the answer, and the redirect that follows has the cookie. */
  const signOn = async (email: string, { user = '', id = 'apple', claims = {} } = {}) => {
    sso.recognise(id, bare(email, claims), {
      ...{ metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] } },
      ...{ formPost: user === '' ? {} : { user }, isClient: isClient(sso.provider(id).issuer) },
    });
    const browser = sso.browser();
    const address = await browser.begin(id);
    const page = await (await fetch(address)).text();
    const fields = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&quot;', '"'),
    ]);
    const { pathname } = new URL(/action="([^"]*)"/.exec(page)?.[1] ?? '');
    const posted = await sso.admin.http
      .post(pathname)
      .set({ origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site' })
      .type('application/x-www-form-urlencoded')
      .send(new URLSearchParams(fields).toString())
      .redirects(0)
      .expect(303);
    const back = await browser.returnFromProvider(String(posted.headers['location']));
    return { asked: new URL(address).searchParams, back };
  };
  const nameOf = async (email: string) => (await sso.findAccount(email))?.displayName;

  it('opens a session, with a form post and the parameters that it knows', async () => {
    const email = someEmail();
    const { asked, back } = await signOn(email);
    assert.ok(back.parameters['apple_token'], JSON.stringify(back.parameters));
    assert.equal(await nameOf(email), null);
    const shown = ['response_mode', 'scope', 'prompt', 'max_age'].map((name) => asked.get(name));
    assert.deepEqual(shown, ['form_post', 'openid name email', null, null]);
  });

  it('makes its client secret anew each time, with the right key', async () => {
    secrets.length = 0;
    await signOn(someEmail());
    await signOn(someEmail());
    assert.equal(new Set(secrets).size, 2);
    const { back } = await signOn(someEmail(), { id: 'wrong' });
    assert.deepEqual(back.parameters, { error: 'provider_error' });
  });

  it('takes the name from the form, once, and the email from the ID token alone', async () => {
    const email = someEmail();
    const form = (firstName: string) =>
      JSON.stringify({ name: { firstName, lastName: 'Other' }, email: someEmail() });
    await signOn(email, { user: form('Ann') });
    assert.equal(await nameOf(email), 'Ann Other');
    await signOn(email, { user: form('Eve') });
    assert.equal(await nameOf(email), 'Ann Other');
  });

  it('reads any field `user`', () => {
    for (const [user, name] of [
      [undefined, undefined],
      ['', undefined],
      ['null', undefined],
      ['{"name":null}', undefined],
      ['{"name":{"firstName":7}}', undefined],
      ['{"name":{"firstName":" "}}', undefined],
      ['{"name":{"lastName":"Other"}}', 'Other'],
    ] as const)
      assert.equal(nameIn(user), name);
  });

  it('does not let an email in that Apple has not verified', async () => {
    const { back } = await signOn(someEmail(), { claims: { email_verified: 'false' } });
    assert.deepEqual(back.parameters, { error: 'email_not_verified' });
  });

  it('posts to no other provider, and opens nothing without the cookie', async () => {
    const post = (path: string, form = 'code=x&state=y') =>
      sso.admin.http.post(path).type('application/x-www-form-urlencoded').send(form).redirects(0);
    await post('/auth/nobody/callback').expect(404);
    const { headers } = await post('/auth/apple/callback', 'code=x&state=y&evil=z').expect(303);
    assert.equal(headers['location'], 'https://admin.gatehouse.test/auth/apple/callback?code=x&state=y');
    assert.equal((await sso.browser().returnFromProvider(headers['location'] ?? '')).status, 400);
  });
});
