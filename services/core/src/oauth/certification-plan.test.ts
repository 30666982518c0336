import assert from 'node:assert/strict';
import { PASSWORD, REDIRECT_URI } from '@gatehouse/accounts/testing';
import { claimsIn, newPkce, type OAuthCore, useOAuth } from './testing.ts';

type SignedIn = Awaited<ReturnType<OAuthCore['signIn']>>;

const EXEMPT = { requiresPkce: false, requiresNonce: false };

/**
 * The modules of OpenID's plan for certification as a basic provider (`oidcc-basic-certification-test-plan`), each as one
 * test. What a module sends comes from its description; the client here requires neither PKCE nor a nonce, as the plan's.
 */
describe('OpenID’s plan for basic providers', () => {
  const { core, client, ann } = useOAuth(EXEMPT);

  const requestOf = (more: Record<string, string | undefined> = {}): Record<string, string> => {
    const all = { ...core.requestOf(client), scope: 'openid', state: 's t/+', nonce: 'n-0S6', ...more };
    // Parameters that are set to `undefined` are left out.
    return JSON.parse(JSON.stringify(all)) as Record<string, string>;
  };
  const ask = (
    more: Record<string, string | undefined> = {},
    fields: object = {},
    who: SignedIn | undefined = ann,
  ) => core.authorize(who, requestOf(more), fields);
  const errorOf = async (more: Record<string, string | undefined>, who?: SignedIn) => {
    const { back } = await ask(more, {}, who);
    assert.equal(back?.get('state'), 's t/+');
    assert.equal(back?.get('code'), null);
    return back?.get('error');
  };
  const codeIn = ({ back, body }: Awaited<ReturnType<typeof ask>>) => {
    assert.ok(back !== undefined && back.has('code'), JSON.stringify(body));
    assert.deepEqual([back.get('state'), back.get('iss')], ['s t/+', core.app.settings.ISSUER]);
    return { grant_type: 'authorization_code', code: back.get('code') ?? '', redirect_uri: REDIRECT_URI };
  };
  /** A complete sign-in, whose ID token is checked as every module does. */
  const signIn = async (more: Record<string, string | undefined> = {}, fields: object = {}) => {
    const code = codeIn(await ask(more, fields));
    const { status, body, headers } = await core.token(client, code);
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'], JSON.stringify(body));
    const claims = claimsIn(body.id_token);
    const nonce = 'nonce' in more ? more['nonce'] : 'n-0S6';
    const { iss, aud, sub } = claims;
    assert.deepEqual([iss, aud, sub], [core.app.settings.ISSUER, client.id, ann.id]);
    assert.equal(claims['nonce'], nonce);
    return { code, claims, ...body };
  };
  const userinfo = (token: string) => core.userinfo(token);
  const postUserinfo = (form: string | object) => core.http.post('/oauth/userinfo').type('form').send(form);
  const setAge = (seconds: number) => {
    const sql = `with gone as (delete from session_confirmation)
       update user_session set authenticated_at = now() - make_interval(secs => ?) where id = ?`;
    return core.sql(sql, [seconds, ann.sessionId]);
  };

  const unsigned = [{ alg: 'none' }, { response_type: 'code' }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  /** Modules of one request, and its scopes or its error. Accounts have neither address nor telephone number. */
  const REQUESTS: [string, Record<string, string | undefined>, { scope?: string; error?: string }][] = [
    ['oidcc-server', {}, {}],
    ['oidcc-response-type-missing', { response_type: undefined }, { error: 'invalid_request' }],
    ['oidcc-scope-address', { scope: 'openid address' }, {}],
    ['oidcc-scope-phone', { scope: 'openid phone' }, {}],
    ['oidcc-scope-all', { scope: 'openid profile email address phone' }, { scope: 'email openid profile' }],
    ['oidcc-ensure-other-scope-order-succeeds', { scope: 'email openid' }, { scope: 'email openid' }],
    ['oidcc-display-page', { display: 'page' }, {}],
    ['oidcc-display-popup', { display: 'popup' }, {}],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }, {}],
    ['oidcc-ui-locales', { ui_locales: 'se' }, {}],
    ['oidcc-claims-locales', { claims_locales: 'se' }, {}],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }, {}],
    ['oidcc-claims-essential', { claims: '{"userinfo":{"name":{"essential":true}}}' }, {}],
    [
      'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
      { request: `${unsigned.join('.')}.` },
      { error: 'request_not_supported' },
    ],
    [
      'oidcc-ensure-request-object-with-redirect-uri',
      { request_uri: 'https://app.example/request.jwt' },
      { error: 'request_uri_not_supported' },
    ],
  ];
  for (const [name, request, { error, scope = 'openid' }] of REQUESTS)
    it(name, async () => {
      if (error !== undefined) return assert.equal(await errorOf(request), error);
      return assert.deepEqual((await signIn(request)).scope.split(' ').toSorted(), scope.split(' '));
    });

  const MODULES: Record<string, () => Promise<unknown>> = {
    'oidcc-idtoken-signature': async () => {
      const header = (await signIn()).id_token.split('.')[0] ?? '';
      const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, string>;
      const { body } = await core.http.get('/.well-known/jwks.json').expect(200);
      assert.equal(alg, 'RS256');
      const { keys } = body as { keys: { kid: string; kty: string }[] };
      assert.equal(keys.find((key) => key.kid === kid)?.kty, 'RSA');
    },
    'oidcc-userinfo-get': async () => userinfo((await signIn()).access_token).expect(200, { sub: ann.id }),
    'oidcc-userinfo-post-header': async () => {
      const form = postUserinfo('').set(core.bearer((await signIn()).access_token));
      await form.expect(200, { sub: ann.id });
    },
    'oidcc-userinfo-post-body': async () => {
      await postUserinfo({ access_token: (await signIn()).access_token }).expect(200, { sub: ann.id });
    },
    'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async () => {
      const { claims } = await signIn({ nonce: undefined });
      assert.equal('nonce' in claims, false);
    },
    'oidcc-scope-profile': async () => {
      const { claims, access_token: token } = await signIn({ scope: 'openid profile' });
      assert.equal(claims['locale'], 'en');
      const [username = ''] = ann.email.split('@');
      const profile = { name: ann.email, preferred_username: username, locale: 'en' };
      await userinfo(token).expect(200, { sub: ann.id, ...profile });
    },
    'oidcc-scope-email': async () => {
      const { access_token: token } = await signIn({ scope: 'openid email' });
      await userinfo(token).expect(200, { sub: ann.id, email: ann.email, email_verified: true });
    },
    'oidcc-prompt-login': async () => {
      const first = await signIn();
      await setAge(100);
      const asked = await ask({ prompt: 'login' });
      assert.deepEqual([asked.body['Kind'], asked.body['Prompt']], ['Login', 'Confirm']);
      const { Since } = asked.body;
      const second = await signIn({ prompt: 'login' }, { Since, Password: PASSWORD });
      assert.ok(Number(second.claims['auth_time']) >= Number(first.claims['auth_time']));
      assert.equal(second.claims['sub'], first.claims['sub']);
    },
    'oidcc-prompt-none-not-logged-in': async () => {
      const { back } = await core.authorize(undefined, requestOf({ prompt: 'none' }));
      assert.deepEqual([back?.get('error'), back?.get('state')], ['login_required', 's t/+']);
    },
    'oidcc-prompt-none-logged-in': async () => {
      const first = await signIn();
      const second = await signIn({ prompt: 'none' });
      for (const claim of ['sub', 'auth_time']) assert.equal(second.claims[claim], first.claims[claim]);
    },
    'oidcc-max-age-1': async () => {
      await setAge(100);
      const asked = await ask({ max_age: '1' });
      assert.equal(asked.body['Kind'], 'Login');
      const { Since } = asked.body;
      const { claims } = await signIn({ max_age: '1' }, { Since, Password: PASSWORD });
      assert.ok(Math.abs(Date.now() / 1000 - Number(claims['auth_time'])) < 60);
    },
    'oidcc-max-age-10000': async () => {
      const first = await signIn();
      const second = await signIn({ max_age: '10000' });
      assert.ok(second.claims['auth_time']);
      assert.equal(second.claims['auth_time'], first.claims['auth_time']);
    },
    'oidcc-id-token-hint': async () => {
      const { id_token: hint } = await signIn();
      await signIn({ prompt: 'none', id_token_hint: hint });
      const bob = await core.signIn();
      const { back } = await ask({ prompt: 'none', id_token_hint: hint }, {}, bob);
      assert.equal(back?.get('error'), 'login_required');
    },
    'oidcc-login-hint': async () => {
      await signIn({ login_hint: ann.email });
      const asked = await core.authorize(undefined, requestOf({ login_hint: 'bob@example.com' }));
      assert.equal(asked.body['LoginHint'], 'bob@example.com');
    },
    'oidcc-codereuse': async () => {
      const { code, access_token: token } = await signIn();
      assert.equal((await core.token(client, code)).body.error, 'invalid_grant');
      await userinfo(token).expect(401);
    },
    'oidcc-codereuse-30seconds': async () => {
      const { code, access_token: token } = await signIn();
      await core.sql(`update oauth_code set expires_at = expires_at - interval '30 seconds'`);
      assert.equal((await core.token(client, code)).body.error, 'invalid_grant');
      await userinfo(token).expect(401);
    },
    'oidcc-ensure-registered-redirect-uri': async () => {
      const { body, back } = await ask({ redirect_uri: `${REDIRECT_URI}x` });
      assert.deepEqual([body['Kind'], body['Code'], back], ['Refused', 'redirect_uri_mismatch', undefined]);
    },
    'oidcc-server-client-secret-post': async () => {
      const form = { ...codeIn(await ask()), client_id: client.id, client_secret: client.secret };
      assert.equal((await core.token(undefined, form)).status, 200);
    },
    'oidcc-refresh-token': async () => {
      const { refresh_token: first, id_token: before } = await signIn({ scope: 'openid offline_access' });
      const { status, body } = await core.refresh(client, first);
      assert.equal(status, 200);
      await userinfo(body.access_token).expect(200, { sub: ann.id });
      for (const claim of ['iss', 'sub', 'aud', 'auth_time', 'sid'])
        assert.equal(claimsIn(body.id_token)[claim], claimsIn(before)[claim]);
      assert.equal(claimsIn(body.id_token)['nonce'], undefined);
      const other = await core.newClient();
      assert.equal((await core.refresh(other, body.refresh_token)).body.error, 'invalid_grant');
    },
    'oidcc-ensure-request-with-valid-pkce-succeeds': async () => {
      const { verifier, asked } = newPkce();
      const code = codeIn(await ask(asked));
      assert.equal((await core.token(client, code)).body.error, 'invalid_grant');
      assert.equal((await core.token(client, { ...code, code_verifier: verifier })).status, 200);
    },
  };
  for (const [name, test] of Object.entries(MODULES))
    it(name, async () => {
      await setAge(0);
      await test();
    });
});
