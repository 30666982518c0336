import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { openClientTokens } from '../../../../services/core/src/oauth/open-client-tokens.ts';
import type { ClientTokens } from '@gatehouse/auth-core';
import { eventually } from '@gatehouse/runtime/testing';
import { codeOf } from './code-of.ts';
import { startInstallation, type Installation } from './installation.ts';

describe('gatehouse-verify with tokens of applications', function () {
  this.timeout(60_000);
  const audience = 'https://films.example';
  let at: Installation;
  let clients: ClientTokens;
  before(async () => {
    at = await startInstallation();
    const { service, settings, lifecycle, log } = at.house.app;
    clients = openClientTokens({ settings, lifecycle, log, keys: service.keys }).clientTokens;
  });
  after(() => at.stop());

  /** A token for an API that an application has got in somebody's session. */
  const newToken = async (api = audience) => {
    const { id } = await at.fixtures.newAccount();
    const { sessionId, Token } = await at.fixtures.login({ id });
    const account = { accountId: id, sessionId, clientSessionId: randomUUID() };
    const grant = { clientId: randomUUID(), audience: api, scopes: ['films', 'films:write'], account };
    return { id, sessionId, own: Token, grant, ...(await clients.signAccessToken(grant)) };
  };

  it('accepts those for its API, and refuses them within a second of the end of their session', async () => {
    const verifier = at.verifier({ feed: { token: at.feed } }, { audience });
    await eventually(() => verifier.isFresh);
    const { id, sessionId, token, grant } = await newToken();
    const verdict = await verifier.verify(token);
    assert.ok(verdict.kind === 'caller');
    const { expiresAt, ...caller } = verdict;
    assert.ok(expiresAt);
    const { clientId, scopes } = grant;
    const app = { clientId, scopes, clientSessionId: grant.account.clientSessionId };
    assert.deepEqual(caller, { kind: 'caller', role: 'App', accountId: id, sessionId, app });
    await at.end(sessionId);
    await eventually(async () => codeOf(await verifier.verify(token)) === 'session_deactivated', 1);
  });

  it('knows those of an application itself', async () => {
    const clientId = randomUUID();
    const { token } = await clients.signAccessToken({ clientId, audience, scopes: ['films'] });
    const verdict = await at.verifier('none', { audience }).verify(token);
    assert.ok(verdict.kind === 'caller');
    const { accountId, sessionId, app } = verdict;
    assert.deepEqual([accountId, sessionId, app], [undefined, undefined, { clientId, scopes: ['films'] }]);
  });

  it('refuses those for another API, ID tokens, and our own tokens', async () => {
    const verifier = at.verifier('none', { audience });
    const other = await newToken('https://other.example');
    const facts = {
      clientId: audience,
      accountId: randomUUID(),
      sessionId: randomUUID(),
      authenticatedBy: [],
    };
    const ids = await Promise.all(
      (['RS256', 'ES256'] as const).map((alg) => clients.signIdToken({ ...facts, alg })),
    );
    for (const token of [other.token, other.own, ...ids]) {
      assert.equal(codeOf(await verifier.verify(token)), 'token_invalid');
    }
  });

  it('is never taken for one of ours by a service that checks those', async () => {
    const { token, own } = await newToken();
    const verifier = at.verifier('none');
    assert.equal(codeOf(await verifier.verify(own)), 'caller');
    assert.equal(codeOf(await verifier.verify(token)), 'token_invalid');
  });

  it('answers 503 where it can only ask, instead of logging people out', async () => {
    const { token } = await newToken();
    const { kind } = await at.verifier({ ask: true }, { audience }).verify(token);
    assert.equal(kind, 'unavailable');
  });
});
