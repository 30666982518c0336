import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { during, eventually } from '@gatehouse/runtime/testing';
import { PASSWORD } from '../testing/index.ts';
import { callIn, newTraceId, startTracedSystem } from './traced-system.ts';

const SPANS = 10_000;
const AT_ONCE = 4;

describe('ten thousand spans of the whole system', function () {
  this.timeout(180_000);
  const system = during(() => startTracedSystem());

  it('contain the code of a refusal, which is no error, but no personal data', async () => {
    const { receiver, world, spansOf } = system;
    const canary = `canary${randomBytes(8).toString('hex')}`;
    const email = `${canary}@example.com`;
    await world.post('/account/register', { Email: email, Password: `${PASSWORD}${canary}` });
    const code = await world.mailedCode(email);
    await world.post('/account/verify', { Email: email, Code: code });
    const { Token, RefreshToken } = await world.login(email, `${PASSWORD}${canary}`);
    const traceId = newTraceId();
    const tries: [string, string, object?][] = [
      ['POST', '/account/login', { Username: email, Password: canary }],
      ['POST', '/account/verify', { Email: email, Code: canary }],
      ['POST', `/${canary}?${canary}=${canary}`, { [canary]: canary }],
      ['GET', `/session?email=${email}`],
      ['GET', `/person/${canary}`],
      ['POST', '/account/refresh-token', { Token, RefreshToken: canary }],
      ['POST', '/account/forgot-password', { Email: email }],
      ['GET', '/account/profile'],
      ['POST', '/account/change-password', { OldPassword: canary, NewPassword: canary }],
      ['POST', '/account/change-email', { NewEmail: `x${email}`, Password: `${PASSWORD}${canary}` }],
      ['POST', '/account/ping'],
    ];
    const { baseUrl, urls, seed } = world.stack.facts;
    const inviter = await world.login(seed.user.Email, seed.user.Password);
    for (const group of [1, 2]) {
      const Emails = Array.from({ length: 100 }, (_, index) => `${canary}.${group}.${index}@example.com`);
      const invitation = { ContentDefinitionId: seed.contentDefinitionId, Emails };
      assert.equal((await world.post('/account/invite-user', invitation, inviter.Token)).status, 200);
    }
    const round = () =>
      Promise.all(
        tries.map(([method, path, body]) => callIn(traceId, baseUrl, method, path, { token: Token, body })),
      );
    while (receiver.spans.length < SPANS) await Promise.all(Array.from({ length: AT_ONCE }, round));
    // Sent directly to Core, because the gateway would already refuse an unknown path.
    await callIn(traceId, urls.core, 'POST', `/${canary}?${canary}`, { token: Token });
    const named = (name: string) => spansOf(traceId).find((span) => span.name === name);
    const unknown = await eventually(async () => named('POST unknown'), 20);
    assert.ok(receiver.spans.filter(({ name }) => name === 'smtp').length >= 200);
    const secrets = [
      canary,
      email,
      Token,
      Token.split('.')[2] ?? '',
      RefreshToken,
      code,
      code.replace('-', ''),
    ];
    for (const span of receiver.spans) {
      const text = JSON.stringify(span);
      for (const secret of secrets) assert.ok(!text.includes(secret), text);
      assert.doesNotMatch(text, /@|eyJ/);
    }
    const refused = named('POST /account/login');
    assert.equal(refused?.isFault, false);
    assert.equal(refused.attributes['gatehouse.code'], 'authentication_failed');
    assert.equal(unknown.attributes['gatehouse.code'], 'not_found');
  });
});
