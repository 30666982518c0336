import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createTokens, newKey, watchKeys } from '@gatehouse/auth-core';
import { forgedTokens } from '@gatehouse/auth-core/testing';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { SessionStatus } from '@gatehouse/schema';
import type { Verdict, Verifier } from '@gatehouse/verify';
import { startInstallation, type Installation } from './installation.ts';

const codeOf = (verdict: Verdict): string => (verdict.kind === 'refused' ? verdict.code : verdict.kind);
const JWKS = '/.well-known/jwks.json';

describe('@gatehouse/verify', function () {
  this.timeout(60_000);
  let at: Installation;
  before(async () => {
    at = await startInstallation();
  });
  after(() => at.stop());

  const ready = (verifier: Verifier) => eventually(() => verifier.isFresh);
  const following = async (options: Parameters<Installation['verifier']>[1] = {}): Promise<Verifier> => {
    const verifier = at.verifier({ feed: { token: at.service } }, options);
    await ready(verifier);
    return verifier;
  };

  describe('by the token alone', () => {
    it('says whose a genuine token is', async () => {
      const { Token, sessionId } = await at.newSession();
      const verdict = await at.verifier('none').verifyHeader(`Bearer ${Token}`);
      assert.ok(verdict.kind === 'caller');
      assert.equal(verdict.sessionId, sessionId);
      assert.equal(verdict.role, 'User');
      assert.ok((verdict.expiresAt ?? 0) > Date.now() / 1000);
    });

    it('refuses every token that is forged or over, whether it has seen the genuine one or not', async () => {
      const { Token } = await at.newSession();
      const { invalid, expired } = forgedTokens(Token, at.house.app.settings.SIGNING_KEYS ?? '');
      const verifier = at.verifier('none', { leewaySeconds: 0 });
      for (let round = 0; round < 2; round += 1) {
        for (const { name, token } of invalid) {
          const verdict = await verifier.verifyHeader(`Bearer ${token}`);
          assert.ok(verdict.kind === 'refused', `${name}: ${verdict.kind}`);
        }
        // How long tokens may live, which Gatehouse itself looks at too, only Gatehouse knows.
        for (const { name, token } of expired.filter((one) => one.name.startsWith('exp '))) {
          assert.equal(codeOf(await verifier.verify(token)), 'token_expired', name);
        }
        assert.equal((await verifier.verify(Token)).kind, 'caller');
      }
    });

    it('lets a remembered token end', async () => {
      const { Token } = await at.newSession();
      let now = Date.now();
      const verifier = at.verifier('none', { now: () => now });
      assert.equal((await verifier.verify(Token)).kind, 'caller');
      now += (at.house.app.settings.ACCESS_TOKEN_SECONDS + 61) * 1000;
      assert.equal(codeOf(await verifier.verify(Token)), 'token_expired');
    });

    it('tells what is no bearer token from what is missing', async () => {
      const verifier = at.verifier('none');
      assert.equal(codeOf(await verifier.verifyHeader(undefined)), 'token_missing');
      for (const header of ['Basic abc', 'Bearer', 'Bearer a b', `Bearer ${'x'.repeat(9000)}`, at.service]) {
        assert.equal(codeOf(await verifier.verifyHeader(header)), 'token_invalid', header.slice(0, 20));
      }
    });

    it('fetches the keys once, however many tokens come at once or name a key of their own', async () => {
      const { Token } = await at.newSession();
      let now = Date.now();
      const before = at.asked.length;
      const verifier = at.verifier('none', { now: () => now });
      const fetches = () => at.asked.slice(before).filter((path) => path === JWKS).length;
      await Promise.all(Array.from({ length: 20 }, () => verifier.verify(Token)));
      assert.equal(fetches(), 1);
      const strange = () => {
        const keys = watchKeys({ json: JSON.stringify({ keys: [newKey(0, 0)] }), log: testLog() });
        const rules = { issuer: at.issuer, audience: 'gatehouse', lifetimeSeconds: 60, leewaySeconds: 60 };
        const subject = { accountId: 'a', sessionId: 's', role: 'Admin' } as const;
        return createTokens({ ...rules, keys }).sign(subject);
      };
      for (let n = 0; n < 20; n += 1) {
        assert.equal(codeOf(await verifier.verify((await strange()).token)), 'token_invalid');
      }
      assert.equal(fetches(), 1);
      now += 31_000;
      await verifier.verify((await strange()).token);
      await verifier.verify((await strange()).token);
      assert.equal(fetches(), 2);
    });

    it('takes tokens of a new key, none of one that was removed, and goes on while Core is away', async () => {
      const { settings } = at.house.app;
      const { accountId = '', sessionId = '' } = await callerOf(at);
      const [older] = (JSON.parse(settings.SIGNING_KEYS ?? '') as { keys: object[] }).keys;
      const newer = newKey(0, 1);
      const tokenOf = async (key: object) => {
        const keys = watchKeys({ json: JSON.stringify({ keys: [key] }), log: testLog() });
        const rules = {
          issuer: at.issuer,
          audience: settings.AUDIENCE,
          lifetimeSeconds: 3600,
          leewaySeconds: 60,
        };
        return (await createTokens({ ...rules, keys }).sign({ accountId, sessionId, role: 'User' })).token;
      };
      const [old, fresh] = [await tokenOf(older ?? {}), await tokenOf(newer)];
      let now = Date.now();
      const verifier = at.verifier('none', { now: () => now });
      assert.deepEqual(
        [codeOf(await verifier.verify(old)), codeOf(await verifier.verify(fresh))],
        ['caller', 'token_invalid'],
      );
      await at.goAway();
      now += 120_000;
      assert.equal(codeOf(await verifier.verify(await tokenOf(older ?? {}))), 'caller');
      await at.comeBack({ SIGNING_KEYS: JSON.stringify({ keys: [newer] }) });
      now += 120_000;
      await eventually(async () => codeOf(await verifier.verify(old)) === 'token_invalid');
      assert.equal(codeOf(await verifier.verify(fresh)), 'caller');
      await at.goAway();
      await at.comeBack();
    });

    it('answers that it cannot tell while no key was ever fetched', async () => {
      const { Token } = await at.newSession();
      const verifier = at.verifier('none', { fetch: () => Promise.reject(new Error('away')) });
      assert.equal(codeOf(await verifier.verify(Token)), 'unavailable');
    });
  });

  describe('with the feed', () => {
    it('refuses a session within a second of its end, with the reason, and closes what it watches', async () => {
      const verifier = await following();
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
      const verifier = await following();
      assert.equal(codeOf(await verifier.verify(Token)), 'session_replaced');
    });

    it('lets a session in again that an administrator has made active', async () => {
      const verifier = await following();
      const { Token, sessionId } = await at.newSession();
      await at.end(sessionId);
      await eventually(async () => codeOf(await verifier.verify(Token)) === 'session_deactivated');
      await at.revive(sessionId);
      await eventually(async () => codeOf(await verifier.verify(Token)) === 'caller');
      assert.equal(codeOf(await (await following()).verify(Token)), 'caller');
    });

    it('refuses all with 503 once the feed is silent, or lets in, or asks, and misses nothing of the outage', async () => {
      let late = 0;
      const now = () => Date.now() + late;
      const [closed, open, asking] = [
        await following({ now }),
        await following({ now, onStale: 'open' }),
        await following({ now, onStale: 'ask' }),
      ];
      const [kept, lost] = [await at.newSession(), await at.newSession()];
      await at.goAway();
      await at.end(lost.sessionId);
      for (const verifier of [closed, open, asking]) {
        assert.equal(codeOf(await verifier.verify(kept.Token)), 'caller', 'for a moment nobody notices');
      }
      late = 31_000;
      assert.equal(codeOf(await closed.verify(kept.Token)), 'unavailable');
      assert.equal(codeOf(await open.verify(kept.Token)), 'caller');
      assert.equal(codeOf(await asking.verify(kept.Token)), 'unavailable');
      await at.comeBack();
      const seen = new Set<string>();
      await eventually(async () => {
        seen.add(codeOf(await closed.verify(lost.Token)));
        return closed.isFresh;
      }, 20);
      seen.add(codeOf(await closed.verify(lost.Token)));
      assert.deepEqual(seen, new Set(['unavailable', 'session_deactivated']), 'it was let in at no moment');
      for (const verifier of [closed, open, asking]) {
        await eventually(async () => codeOf(await verifier.verify(lost.Token)) === 'session_deactivated', 20);
        await eventually(async () => codeOf(await verifier.verify(kept.Token)) === 'caller', 20);
      }
    });

    it('lets nobody in with a token of its own that is not good', async () => {
      const { Token } = await at.newSession();
      const errors: unknown[] = [];
      const verifier = at.verifier(
        { feed: { token: 'sat_nonsense' } },
        { onError: (error) => errors.push(error) },
      );
      await eventually(() => errors.length > 0);
      assert.equal(codeOf(await verifier.verify(Token)), 'unavailable');
      assert.match(String(errors[0]), /401/);
    });
  });

  describe('by asking', () => {
    it('refuses an ended session within two seconds, and asks for each token once in that time', async () => {
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

    it('takes static tokens, and asks about nothing that is none', async () => {
      const verifier = at.verifier({ ask: true });
      const verdict = await verifier.verify(at.service);
      assert.ok(verdict.kind === 'caller' && verdict.role === 'Service' && verdict.accountId === undefined);
      const before = at.asked.length;
      for (const token of ['garbage', 'sat_short', 'a.b.c']) {
        assert.equal(codeOf(await verifier.verify(token)), 'token_invalid');
      }
      assert.deepEqual(
        at.asked.slice(before).filter((path) => path !== JWKS),
        [],
      );
    });

    it('answers that it cannot tell while Core is away', async () => {
      const verifier = at.verifier({ ask: true });
      const { Token } = await at.newSession();
      assert.equal(codeOf(await verifier.verify(Token)), 'caller');
      await at.goAway();
      await pause(2000);
      assert.equal(codeOf(await verifier.verify(Token)), 'unavailable');
      await at.comeBack();
      assert.equal(codeOf(await verifier.verify(Token)), 'caller');
    });
  });
});

async function callerOf(at: Installation) {
  const verdict = await at.verifier('none').verify((await at.newSession()).Token);
  assert.ok(verdict.kind === 'caller');
  return verdict;
}
