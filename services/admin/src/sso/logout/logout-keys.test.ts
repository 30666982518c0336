import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { personClaims, startSso, type TestSso } from '../testing/browser.ts';
import type { Signing } from '../testing/provider.ts';

describe('the key of a logout token', function () {
  this.timeout(30_000);
  let sso: TestSso;
  beforeEach(async () => {
    sso = await startSso({ demo: { provisioning: 'jit' } });
  });
  afterEach(() => sso.stop());

  const send = (text: string) =>
    sso.admin.http
      .post('/auth/demo/backchannel-logout')
      .type('application/x-www-form-urlencoded')
      .send(`logout_token=${text}`);

  it('must be published by the provider', async () => {
    const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
    for (const header of [{}, { jwk }, { jku: 'https://evil.example/jwks' }]) {
      await send(sso.provider('demo').logoutToken({ sub: 'x' }, 'unknown-key', header)).expect(400);
    }
  });

  it('may be one that the provider has just begun to use', async () => {
    const provider = sso.provider('demo');
    const person = personClaims(someEmail());
    const { parameters } = await sso.signOn('demo', person);
    await send(provider.logoutToken({ sub: 'somebody else' })).expect(200);
    provider.rotateKeys();
    await send(provider.logoutToken({ sub: person.sub })).expect(200);
    const caller = await sso.admin.app.auth.authenticate(`Bearer ${parameters['demo_token']}`);
    assert.equal(caller.kind, 'refused');
  });

  it('need not be named if the provider publishes only one, also when that one has just changed', async () => {
    const provider = sso.provider('demo');
    provider.behaviour.hasOneKey = true;
    const sendUnnamed = (signing: Signing = 'right') =>
      send(provider.logoutToken({ sub: 'x' }, signing, { kid: undefined }));
    await sendUnnamed().expect(200);
    provider.rotateKeys();
    await sendUnnamed().expect(200);
    await sendUnnamed('other-key').expect(400);
    await sendUnnamed().expect(200);
  });

  it('causes few fetches if it is unknown: the provider is asked to send the token again later', async () => {
    const provider = sso.provider('demo');
    const sendForged = () => send(provider.logoutToken({ sub: 'x' }, 'unknown-key', { kid: newId() }));
    for (let sent = 0; sent < 3; sent += 1) await sendForged().expect(400);
    for (let sent = 0; sent < 10; sent += 1) {
      const { status, headers, body } = await sendForged();
      assert.deepEqual([status, body.code], [429, 'too_many_requests']);
      const seconds = Number(headers['retry-after']);
      assert.ok(seconds > 0 && seconds <= 20, String(seconds));
    }
    assert.equal(provider.seen.filter((path) => path === '/jwks').length, 3);
    await send(provider.logoutToken({ sub: 'x' })).expect(200);
  });

  it('is unavailable (503) if the provider does not publish any, and nothing ends', async () => {
    const { behaviour, logoutToken } = sso.provider('demo');
    behaviour.failing = ['jwks'];
    const text = logoutToken({ sub: 'x' });
    await send(text).expect(503);
    behaviour.failing = [];
    await send(text).expect(200);
  });
});
