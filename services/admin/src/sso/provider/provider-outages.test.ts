import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { lookUpName } from '@gatehouse/runtime';
import { duringEach, endings, eventually, serve, startNameServer } from '@gatehouse/runtime/testing';
import { startProvider } from '../testing/provider.ts';
import { ADMIN_URL, RETURN_URL, personClaims, startSso } from '../testing/browser.ts';
import { boundedFetch } from './talk.ts';

describe('an identity provider that is down or slow', function () {
  this.timeout(30_000);
  const sso = duringEach(() => startSso({ demo: { provisioning: 'jit' } }));
  const atEnd = endings();

  const ANSWER_MS = 5000;
  const timed = async <T>(work: Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work;
    const ms = performance.now() - startedAt;
    assert.ok(ms < ANSWER_MS, `${ms} ms`);
    return result;
  };
  const begin = () => sso.browser().get(`${ADMIN_URL}/auth/demo/login`);

  for (const how of ['hanging', 'failing'] as const) {
    it(`is reported at the login when its discovery is ${how}, and works after recovery`, async () => {
      sso.recognise('demo', personClaims(someEmail()), { [how]: ['discovery'] });
      const answers = await timed(Promise.all([begin(), begin(), begin()]));
      for (const { status, body, headers } of answers) {
        assert.deepEqual([status, body.code], [503, 'unavailable']);
        assert.ok(Number(headers['retry-after']) > 0);
      }
      assert.equal(sso.provider('demo').seen.length, 1, 'they share one question');
      assert.ok((await sso.signOn('demo', personClaims(someEmail()))).parameters['demo_token']);
    });

    for (const endpoint of ['token', 'jwks'] as const)
      it(`is reported at the return URL when its ${endpoint} endpoint is ${how}`, async () => {
        const back = await timed(sso.signOn('demo', personClaims(someEmail()), { [how]: [endpoint] }));
        assert.deepEqual([back.returnUrl, back.parameters], [RETURN_URL, { error: 'provider_unavailable' }]);
        assert.ok((await sso.signOn('demo', personClaims(someEmail()))).parameters['demo_token']);
      });
  }

  it('can go down and come back without a restart of Admin', async () => {
    const email = someEmail();
    assert.ok((await sso.signOn('demo', personClaims(email))).parameters['demo_token']);
    const { browser, callback } = await sso.sentBack('demo', personClaims(email));
    const gone = sso.provider('demo');
    await gone.stop();
    const { parameters } = await timed(browser.returnFromProvider(callback));
    assert.deepEqual(parameters, { error: 'provider_unavailable' });
    // It returns with other keys, like a provider that stores its keys in memory.
    const again = await startProvider({ person: personClaims(email) }, gone.port);
    atEnd(() => again.stop());
    const back = await eventually(async () => {
      const found = await sso.browser().signOn('demo');
      return found.parameters['demo_token'] !== undefined && found;
    });
    assert.equal(back.status, 303);
  });

  it('can rotate its only key, which it does not name: one sign-on fails, and the next fetches it', async () => {
    const signOn = async () => {
      const { parameters } = await sso.signOn('demo', personClaims(someEmail()), { hasOneKey: true });
      return parameters['error'] ?? (parameters['demo_token'] === undefined ? 'none' : 'signed on');
    };
    assert.equal(await signOn(), 'signed on');
    sso.provider('demo').rotateKeys();
    assert.deepEqual([await signOn(), await signOn()], ['provider_error', 'signed on']);
  });

  it('is asked for its metadata and keys once, not at every sign-on', async () => {
    for (let time = 0; time < 5; time += 1) await sso.signOn('demo', personClaims(someEmail()));
    const asked = (path: string) => sso.provider('demo').seen.filter((one) => one === path).length;
    const shown = ['/.well-known/openid-configuration', '/jwks', '/token'].map((path) => asked(path));
    assert.deepEqual(shown, [1, 1, 5]);
  });

  for (const [what, metadata] of [
    ['calls itself another issuer', { issuer: 'https://other.test' }],
    ['calls itself almost so', (issuer: string) => ({ issuer: `${issuer}/` })],
    ['has no token endpoint', { token_endpoint: undefined }],
    ['has a number for keys', { jwks_uri: 7 }],
    ['has its keys elsewhere without TLS', { jwks_uri: 'http://idp.example.com/jwks' }],
    ['has no address to send anybody to', { authorization_endpoint: 'here' }],
    ['signs in a number of ways', { id_token_signing_alg_values_supported: 3 }],
  ] as const)
    it(`is not used when it ${what}`, async () => {
      const { issuer } = sso.provider('demo');
      const lie = typeof metadata === 'function' ? metadata(issuer) : metadata;
      sso.recognise('demo', personClaims(someEmail()), { metadata: lie });
      const { status, body } = await begin();
      assert.deepEqual([status, body.code], [503, 'unavailable']);
    });
});

describe('requests to identity providers', () => {
  it('end in time while a name server does not answer, and delay no other provider', async () => {
    const names = await startNameServer(() => new Promise(() => {}));
    const server = await serve((_request, response) => response.end('{}'));
    const ask = async (url: string, ms: number): Promise<number> => {
      const startedAt = performance.now();
      const lookUp = (name: string, signal?: AbortSignal) =>
        lookUpName(name, signal, { servers: [names.address] });
      const options = { method: 'GET' as const, headers: {}, body: undefined, redirect: 'manual' as const };
      const fetching = boundedFetch(AbortSignal.timeout(ms), { proxyFor: () => undefined, lookUp });
      const isTypeError = (error: unknown) => assert.ok(error instanceof TypeError);
      const answer = await fetching(url, options).catch(isTypeError);
      assert.equal(answer?.status, url.startsWith('http:') ? 200 : undefined);
      return performance.now() - startedAt;
    };
    const dead = Array.from({ length: 20 }, (_, at) => ask(`https://idp-${at}.example.com/`, 1000));
    assert.ok((await ask(`http://localhost:${server.port}/`, 9000)) < 900);
    for (const ms of await Promise.all(dead)) assert.ok(ms < 3000, `${ms} ms`);
    await server.stop();
    await names.stop();
  });
});
