import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { SessionStatus } from '@gatehouse/schema';
import type { Verifier } from 'gatehouse-verify';
import { codeOf } from './code-of.ts';
import { startInstallation, type Installation } from './installation.ts';

describe('gatehouse-verify with the feed', function () {
  this.timeout(60_000);
  let at: Installation;
  before(async () => {
    at = await startInstallation();
  });
  after(() => at.stop());

  const ready = (verifier: Verifier) => eventually(() => verifier.isFresh);
  const following = async (options: Parameters<Installation['verifier']>[1] = {}): Promise<Verifier> => {
    const verifier = at.verifier({ feed: { token: at.feed } }, options);
    await ready(verifier);
    return verifier;
  };

  it('refuses a session within a second of its end, with the reason, and closes watched connections', async () => {
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

  it('accepts a session again that an administrator has reactivated', async () => {
    const verifier = await following();
    const { Token, sessionId } = await at.newSession();
    await at.end(sessionId);
    await eventually(async () => codeOf(await verifier.verify(Token)) === 'session_deactivated');
    await at.revive(sessionId);
    await eventually(async () => codeOf(await verifier.verify(Token)) === 'caller');
    assert.equal(codeOf(await (await following()).verify(Token)), 'caller');
  });

  it('refuses with 503, accepts or asks once the feed is silent, as configured, and misses no change of ten minutes', async () => {
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
    late = 600_000;
    await at.restart();
    const seen = new Set<string>();
    await eventually(async () => {
      seen.add(codeOf(await closed.verify(lost.Token)));
      return closed.isFresh;
    }, 20);
    seen.add(codeOf(await closed.verify(lost.Token)));
    assert.deepEqual(seen, new Set(['unavailable', 'session_deactivated']), 'it was let in at no moment');
    const restarted = await following({ now });
    assert.equal(codeOf(await restarted.verify(lost.Token)), 'session_deactivated');
    for (const verifier of [closed, open, asking]) {
      await eventually(async () => codeOf(await verifier.verify(lost.Token)) === 'session_deactivated', 20);
      await eventually(async () => codeOf(await verifier.verify(kept.Token)) === 'caller', 20);
    }
  });

  it('refuses all callers if its own token is invalid', async () => {
    const { Token } = await at.newSession();
    const errors: unknown[] = [];
    const verifier = at.verifier(
      { feed: { token: 'sat_nonsense' } },
      { onError: (error) => errors.push(error) },
    );
    await eventually(() => errors.length > 0);
    assert.equal(codeOf(await verifier.verify(Token)), 'unavailable');
    assert.match(String(errors[0]), /401\. Is the token that of a static API token of the role Feed\?/);
  });
});
