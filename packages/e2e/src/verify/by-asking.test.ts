import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from './code-of.ts';
import { startInstallation, type Installation } from './installation.ts';

describe('gatehouse-verify with introspection', function () {
  this.timeout(60_000);
  let at: Installation;
  before(async () => {
    at = await startInstallation();
  });
  after(() => at.stop());

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
    for (const token of ['garbage', 'sat_short', 'a.b.c']) {
      assert.equal(codeOf(await verifier.verify(token)), 'token_invalid');
    }
    assert.deepEqual(
      at.asked.slice(before).filter((path) => path !== '/.well-known/jwks.json'),
      [],
    );
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
