import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createVerifier, gatehouse, resourceMetadata } from 'gatehouse-verify';
import type { Caller, ResourceOptions } from 'gatehouse-verify';
import { during, eventually, serve } from '@gatehouse/runtime/testing';
import { startInstallation } from './installation.ts';

const RESOURCE = 'https://films.example/mcp';
const METADATA = 'https://films.example/.well-known/oauth-protected-resource/mcp';
const ABOUT = {
  scopes: ['films:read', 'films:write'],
  name: 'Films',
  documentation: 'https://films.example/docs',
};

describe('an API that says what it is', () => {
  const at = during(() => startInstallation());
  const site = during(async () => {
    const feed = await at.following();
    const away = at.verifier({ ask: true }, { fetch: () => Promise.reject(new Error('away')) });
    const protect = gatehouse(at.verifier('none', { audience: RESOURCE, resource: ABOUT }), {
      scopes: ({ url }) => (url === '/write' ? ['films:write'] : url === '/free' ? [] : ['films:read']),
    });
    const others: Record<string, typeof protect> = {
      '/own': gatehouse(at.verifier('none'), { scopes: ['films:read'] }),
      '/people': gatehouse(feed),
      '/admin': gatehouse(feed, { roles: ['Admin'] }),
      '/away': gatehouse(away),
    };
    return serve((request: IncomingMessage & { caller?: Caller }, response) => {
      const check = others[request.url ?? ''] ?? protect;
      check(request, response, () => response.end(request.caller?.role));
    });
  });

  const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(site.url + path, { method, headers });
  const call = async (path: string, token?: string) => {
    const answer = await send(path, token === undefined ? {} : { authorization: `Bearer ${token}` });
    const code = /"code":"(\w+)"/.exec(await answer.text())?.[1];
    return [answer.status, code, answer.headers.get('www-authenticate')];
  };
  const tokenWith = async (...scopes: string[]) => {
    const grant = { clientId: randomUUID(), audience: RESOURCE, scopes };
    return (await at.house.clientTokens.signAccessToken(grant)).token;
  };

  it('serves its metadata at both paths, to pages of any origin', async () => {
    const { pathname } = new URL(METADATA);
    for (const path of ['/.well-known/oauth-protected-resource', `${pathname}?a=b`]) {
      assert.deepEqual(await (await send(path)).json(), {
        resource: RESOURCE,
        authorization_servers: [at.issuer],
        scopes_supported: ABOUT.scopes,
        bearer_methods_supported: ['header'],
        resource_name: ABOUT.name,
        resource_documentation: ABOUT.documentation,
      });
      const { status, headers } = await send(path, {}, 'OPTIONS');
      const allowed = ['origin', 'headers'].map((what) => headers.get(`access-control-allow-${what}`));
      assert.deepEqual([status, ...allowed], [200, '*', '*']);
    }
    assert.equal((await send(`${pathname}/x`)).status, 401);
    assert.equal((await send(pathname, {}, 'POST')).status, 401);
  });

  it('names the metadata and the scopes in each refusal that a token could have prevented', async () => {
    const end = `resource_metadata="${METADATA}"`;
    const missing = await call('/');
    assert.deepEqual(missing, [401, 'token_missing', `Bearer realm="gatehouse", scope="films:read", ${end}`]);
    const invalid = [401, 'token_invalid', `Bearer realm="gatehouse", error="invalid_token", ${end}`];
    assert.deepEqual(await call('/free', 'x'), invalid);
    const read = await tokenWith('films:read', 'films:list');
    assert.deepEqual(await call('/', read), [200, undefined, null]);
    assert.deepEqual(await call('/write', read), [
      403,
      'insufficient_scope',
      `Bearer realm="gatehouse", error="insufficient_scope", scope="films:write films:read films:list", ${end}`,
    ]);
    assert.equal((await call('/write', await tokenWith('films:write')))[0], 200);
    assert.equal((await call('/', await tokenWith('films:rea', 'films:reads')))[0], 403);
  });

  it('gives people’s own tokens, which have no scopes, nothing that needs one', async () => {
    const { Token } = await at.newSession();
    assert.equal((await call('/own', Token))[1], 'insufficient_scope');
  });

  it('lets people in while their session is active and in a role that it asks for', async () => {
    const { Token, sessionId } = await at.newSession();
    const answer = await send('/people', at.house.bearer(Token));
    assert.deepEqual([answer.status, await answer.text()], [200, 'User']);
    assert.deepEqual(await call('/admin', Token), [403, 'forbidden', null]);
    const admin = await at.house.login(await at.house.newAccount({ role: 'Admin' }));
    assert.equal((await call('/admin', admin.Token))[0], 200);
    await at.end(sessionId);
    await eventually(async () => (await call('/people', Token))[1] === 'session_deactivated');
  });

  it('responds to others with a problem, and with 503 if it cannot verify, which logs nobody out', async () => {
    const missing = await send('/people');
    assert.equal(missing.headers.get('content-type'), 'application/problem+json');
    assert.deepEqual(await call('/people'), [401, 'token_missing', 'Bearer realm="gatehouse"']);
    const { Token } = await at.newSession();
    const { status, headers } = await send('/away', at.house.bearer(Token));
    assert.deepEqual([status, headers.get('retry-after')], [503, '2']);
  });

  it('puts the well-known path before its own', () => {
    const metadataUrlOf = (audience: string, resource: ResourceOptions = {}) =>
      createVerifier({ issuer: at.issuer, audience, resource, revocation: 'none' }).resource?.metadataUrl;
    const wellKnown = '/.well-known/oauth-protected-resource';
    for (const [audience, expected] of [
      ['https://a.example', `https://a.example${wellKnown}`],
      ['https://a.example/', `https://a.example${wellKnown}`],
      ['http://localhost:3000/b/c/', `http://localhost:3000${wellKnown}/b/c/`],
      ['https://a.example/b?c=d', `https://a.example${wellKnown}/b?c=d`],
    ] as const)
      assert.equal(metadataUrlOf(audience), expected);
    for (const audience of ['gatehouse', 'films.example/mcp', 'urn:films', 'https://a.example/#b'])
      assert.throws(() => metadataUrlOf(audience), /audience must be the URL of your API/, audience);
    for (const scope of ['', 'a b', 'a"b', 'a\\b', 'a\nb'])
      assert.throws(() => metadataUrlOf(RESOURCE, { scopes: [scope] }), /not a scope/, scope);
    assert.throws(() => gatehouse(at.verifier('none'), { scopes: ['a"'] }), /not a scope/);
    assert.throws(() => resourceMetadata(at.verifier('none')), /has no resource/);
  });
});
