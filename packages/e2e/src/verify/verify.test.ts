import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createTokens, newKey, watchKeys } from '@gatehouse/auth-core';
import { forgedTokens } from '@gatehouse/auth-core/testing';
import { during, eventually, testLog } from '@gatehouse/runtime/testing';
import { SessionStatus } from '@gatehouse/schema';
import { createVerifier } from 'gatehouse-verify';
import { codeOf, startInstallation, type Installation } from './installation.ts';

const JWKS = '/.well-known/jwks.json';

describe('gatehouse-verify', () => {
  const at = during(() => startInstallation());
  afterEach(() => at.closeVerifiers());

  describe('with offline verification', () => {
    it('returns the account of a genuine token', async () => {
      const { Token, sessionId } = await at.newSession();
      const verdict = await at.verifier('none').verifyHeader(`bearer  ${Token}`);
      assert.ok(verdict.kind === 'caller');
      assert.equal(verdict.sessionId, sessionId);
      assert.equal(verdict.role, 'User');
      assert.ok((verdict.expiresAt ?? 0) > Date.now() / 1000);
    });

    it('refuses every forged or expired token, whether it has cached the genuine one or not', async () => {
      const { Token } = await at.newSession();
      const { invalid, expired } = forgedTokens(Token, at.house.app.settings.SIGNING_KEYS ?? '');
      const verifier = at.verifier('none', { leewaySeconds: 0 });
      for (let round = 0; round < 2; round += 1) {
        for (const { name, token } of invalid) {
          const verdict = await verifier.verifyHeader(`Bearer ${token}`);
          assert.ok(verdict.kind === 'refused', `${name}: ${verdict.kind}`);
        }
        // Only Gatehouse itself checks the maximum lifetime of tokens.
        for (const { name, token } of expired.filter((one) => one.name.startsWith('exp ')))
          assert.equal(codeOf(await verifier.verify(token)), 'token_expired', name);
        assert.equal((await verifier.verify(Token)).kind, 'caller');
      }
    });

    it('takes the issuer with a slash at the end, and says once what is wrong with another', async () => {
      const { Token } = await at.newSession();
      const { issuer } = at;
      assert.equal((await at.verifier('none', { issuer: `${issuer}/` }).verify(Token)).kind, 'caller');
      for (const [options, problem] of [
        [{ issuer: 'http://localhost:1' }, `tokens say iss ${issuer}, you configured http://localhost:1`],
        [{ audience: 'other' }, 'tokens say aud gatehouse, you configured other'],
      ] as const) {
        const problems: string[] = [];
        const onError = (error: unknown) => problems.push((error as Error).message);
        const verifier = at.verifier('none', { ...options, onError });
        for (let n = 0; n < 2; n += 1) assert.equal(codeOf(await verifier.verify(Token)), 'token_invalid');
        assert.deepEqual(problems, [problem]);
      }
    });

    it('names a missing option', () => {
      const create = createVerifier as (options?: unknown) => unknown;
      assert.throws(() => create(), /issuer is required/);
      assert.throws(() => create({ issuer: at.issuer }), /revocation is required/);
      assert.throws(() => create({ issuer: at.issuer, revocation: { feed: {} } }), /revocation is required/);
    });

    it('expires a cached token', async () => {
      const { Token } = await at.newSession();
      let now = Date.now();
      const verifier = at.verifier('none', { now: () => now });
      assert.equal((await verifier.verify(Token)).kind, 'caller');
      now += (at.house.app.settings.ACCESS_TOKEN_SECONDS + 61) * 1000;
      assert.equal(codeOf(await verifier.verify(Token)), 'token_expired');
    });

    it('distinguishes a malformed bearer token from a missing one', async () => {
      const verifier = at.verifier('none');
      assert.equal(codeOf(await verifier.verifyHeader(undefined)), 'token_missing');
      for (const header of ['Basic abc', 'Bearer', 'Bearer a b', `Bearer ${'x'.repeat(9000)}`, at.feed])
        assert.equal(codeOf(await verifier.verifyHeader(header)), 'token_invalid', header.slice(0, 20));
    });

    it('fetches the keys once for concurrent tokens, also with unknown key ids', async () => {
      const { Token } = await at.newSession();
      let now = Date.now();
      const before = at.asked.length;
      const verifier = at.verifier('none', { now: () => now });
      const fetches = () => at.asked.slice(before).filter((path) => path === JWKS).length;
      await Promise.all(Array.from({ length: 20 }, () => verifier.verify(Token)));
      assert.equal(fetches(), 1);
      const strange = () => tokenUnder(at, newKey(0, 0));
      for (let n = 0; n < 20; n += 1)
        assert.equal(codeOf(await verifier.verify(await strange())), 'token_invalid');
      assert.equal(fetches(), 1);
      now += 31_000;
      await verifier.verify(await strange());
      await verifier.verify(await strange());
      assert.equal(fetches(), 2);
    });

    it('accepts tokens of a new key, refuses those of a removed one, and works while Core is down', async () => {
      const { settings } = at.house.app;
      const [older = {}] = (JSON.parse(settings.SIGNING_KEYS ?? '') as { keys: object[] }).keys;
      const newer = newKey(0, 1);
      const [old, fresh] = [await tokenUnder(at, older), await tokenUnder(at, newer)];
      let now = Date.now();
      const verifier = at.verifier('none', { now: () => now });
      const codes = [codeOf(await verifier.verify(old)), codeOf(await verifier.verify(fresh))];
      assert.deepEqual(codes, ['caller', 'token_invalid']);
      await at.goAway();
      now += 120_000;
      assert.equal(codeOf(await verifier.verify(await tokenUnder(at, older))), 'caller');
      await at.restart({ SIGNING_KEYS: JSON.stringify({ keys: [newer] }) });
      now += 120_000;
      await eventually(async () => codeOf(await verifier.verify(old)) === 'token_invalid');
      assert.equal(codeOf(await verifier.verify(fresh)), 'caller');
      await at.goAway();
      await at.restart();
    });

    it('reports that it cannot verify if no key was ever fetched', async () => {
      const { Token } = await at.newSession();
      const verifier = at.verifier('none', { fetch: () => Promise.reject(new Error('away')) });
      assert.equal(codeOf(await verifier.verify(Token)), 'unavailable');
    });
  });

  describe('with introspection', () => {
    it('refuses an ended session within two seconds, with one request per token in that time', async () => {
      const verifier = at.verifier({ ask: true });
      const { Token, sessionId } = await at.newSession();
      const before = at.asked.length;
      const questions = () => at.asked.slice(before).filter((path) => path === '/ping/auth').length;
      const verdicts = await Promise.all(Array.from({ length: 20 }, () => verifier.verify(Token)));
      assert.ok(verdicts.every(({ kind }) => kind === 'caller'));
      assert.equal(questions(), 1);
      await at.end(sessionId);
      await pause(2000);
      assert.equal(codeOf(await verifier.verify(Token)), 'session_deactivated');
      assert.equal(codeOf(await verifier.verify(Token)), 'session_deactivated');
      assert.equal(questions(), 2);
    });

    it('accepts static tokens, and sends no request for malformed ones', async () => {
      const verifier = at.verifier({ ask: true });
      const verdict = await verifier.verify(at.feed);
      assert.ok(verdict.kind === 'caller' && verdict.role === 'Feed' && verdict.accountId === undefined);
      const before = at.asked.length;
      for (const token of ['garbage', 'sat_short', 'a.b.c'])
        assert.equal(codeOf(await verifier.verify(token)), 'token_invalid');
      const others = at.asked.slice(before).filter((path) => path !== '/.well-known/jwks.json');
      assert.deepEqual(others, []);
    });

    it('reports that it cannot verify while Core is down', async () => {
      const verifier = at.verifier({ ask: true });
      const { Token } = await at.newSession();
      assert.equal(codeOf(await verifier.verify(Token)), 'caller');
      await at.goAway();
      await pause(2000);
      assert.equal(codeOf(await verifier.verify(Token)), 'unavailable');
      await at.restart();
      assert.equal(codeOf(await verifier.verify(Token)), 'caller');
    });
  });

  describe('with the feed', () => {
    it('refuses a session within a second of its end, with the reason, and closes watched connections', async () => {
      const verifier = await at.following();
      const { Token, sessionId } = await at.newSession();
      assert.equal(codeOf(await verifier.verify(Token)), 'caller');
      let closed = 0;
      verifier.watch(sessionId, () => (closed += 1));
      verifier.watch((await at.newSession()).sessionId, () => assert.fail('another session'))();
      await at.end(sessionId);
      await eventually(async () => codeOf(await verifier.verify(Token)) === 'session_deactivated', 1);
      await eventually(() => closed === 1);
      verifier.watch(sessionId, () => (closed += 1));
      await eventually(() => closed === 2);
    });

    it('knows of sessions that ended before it began', async () => {
      const { Token, sessionId } = await at.newSession();
      await at.end(sessionId, SessionStatus.SessionReplaced);
      const verifier = await at.following();
      assert.equal(codeOf(await verifier.verify(Token)), 'session_replaced');
    });

    it('accepts a session again that an administrator has reactivated', async () => {
      const verifier = await at.following();
      const { Token, sessionId } = await at.newSession();
      await at.end(sessionId);
      await eventually(async () => codeOf(await verifier.verify(Token)) === 'session_deactivated');
      await at.revive(sessionId);
      await eventually(async () => codeOf(await verifier.verify(Token)) === 'caller');
      assert.equal(codeOf(await (await at.following()).verify(Token)), 'caller');
    });

    it('refuses with 503, accepts or asks once the feed is silent, as configured, and misses no change of ten minutes', async () => {
      let late = 0;
      const now = () => Date.now() + late;
      const [closed, open, asking] = [
        await at.following({ now }),
        await at.following({ now, onStale: 'open' }),
        await at.following({ now, onStale: 'ask' }),
      ];
      const [kept, lost] = [await at.newSession(), await at.newSession()];
      await at.goAway();
      await at.end(lost.sessionId);
      for (const verifier of [closed, open, asking])
        assert.equal(codeOf(await verifier.verify(kept.Token)), 'caller', 'for a moment nobody notices');
      late = 31_000;
      assert.equal(codeOf(await closed.verify(kept.Token)), 'unavailable');
      assert.equal(codeOf(await open.verify(kept.Token)), 'caller');
      assert.equal(codeOf(await asking.verify(kept.Token)), 'unavailable');
      late = 600_000;
      await at.restart();
      const seen = new Set<string>();
      await eventually(async () => {
        seen.add(codeOf(await closed.verify(lost.Token)));
        return closed.isFresh;
      }, 20);
      seen.add(codeOf(await closed.verify(lost.Token)));
      assert.deepEqual(seen, new Set(['unavailable', 'session_deactivated']), 'it was let in at no moment');
      const restarted = await at.following({ now });
      assert.equal(codeOf(await restarted.verify(lost.Token)), 'session_deactivated');
      for (const verifier of [closed, open, asking]) {
        await eventually(async () => codeOf(await verifier.verify(lost.Token)) === 'session_deactivated', 20);
        await eventually(async () => codeOf(await verifier.verify(kept.Token)) === 'caller', 20);
      }
    });

    it('refuses all callers if its own token is invalid', async () => {
      const { Token } = await at.newSession();
      const errors: unknown[] = [];
      const revocation = { feed: { token: 'sat_nonsense' } };
      const verifier = at.verifier(revocation, { onError: (error) => errors.push(error) });
      await eventually(() => errors.length > 0);
      assert.equal(codeOf(await verifier.verify(Token)), 'unavailable');
      assert.match(String(errors[0]), /401\. Is the token that of a static API token of the role Feed\?/);
    });
  });

  describe('when the host’s clock changes', () => {
    it('measures the silence of the feed correctly', async () => {
      const { now } = Date;
      let shift = 0;
      Date.now = () => now() + shift;
      try {
        const verifier = await at.following();
        shift = 60_000;
        assert.ok(verifier.isFresh);
      } finally {
        Date.now = now;
      }
    });
  });

  describe('with tokens of applications', () => {
    const audience = 'https://films.example';
    /** A token for an API that an application has got in somebody's session. */
    const newToken = async (api = audience) => {
      const { id } = await at.house.newAccount();
      const { sessionId, Token } = await at.house.login({ id });
      const account = { accountId: id, sessionId, clientSessionId: randomUUID() };
      const grant = { clientId: randomUUID(), audience: api, scopes: ['films', 'films:write'], account };
      return { id, sessionId, own: Token, grant, ...(await at.house.clientTokens.signAccessToken(grant)) };
    };

    it('accepts those for its API, and refuses them within a second of the end of their session', async () => {
      const verifier = await at.following({ audience });
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
      const grant = { clientId, audience, scopes: ['films'] };
      const { token } = await at.house.clientTokens.signAccessToken(grant);
      const verdict = await at.verifier('none', { audience }).verify(token);
      assert.ok(verdict.kind === 'caller');
      const { accountId, sessionId, app } = verdict;
      assert.deepEqual([accountId, sessionId, app], [undefined, undefined, { clientId, scopes: ['films'] }]);
    });

    it('answers 503 where it can only ask, instead of logging people out', async () => {
      const { token } = await newToken();
      const { kind } = await at.verifier({ ask: true }, { audience }).verify(token);
      assert.equal(kind, 'unavailable');
    });
  });
});

/** A token of some session, under this key alone. */
async function tokenUnder({ house: { app } }: Installation, key: object): Promise<string> {
  const keys = watchKeys({ json: JSON.stringify({ keys: [key] }), log: testLog() });
  const { ISSUER: issuer, AUDIENCE: audience } = app.settings;
  const tokens = createTokens({ keys, issuer, audience, lifetimeSeconds: 3600, leewaySeconds: 60 });
  const subject = { accountId: randomUUID(), sessionId: randomUUID(), role: 'User' } as const;
  return (await tokens.sign(subject)).token;
}
