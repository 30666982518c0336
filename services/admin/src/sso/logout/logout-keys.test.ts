import assert from 'node:assert/strict';
import { atOnce, someEmail } from '@gatehouse/accounts/testing';
import { during, duringEach, serve } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { personClaims, startSso, problem } from '../testing/browser.ts';
import type { Signing } from '../testing/provider.ts';
import { createProviderKeys } from './logout-reader.ts';

describe('the key of a logout token', () => {
  const sso = duringEach(() => startSso({ demo: { provisioning: 'jit' } }));

  const send = (text: string) => sso.logOut('demo', text);

  it('may be one that the provider has just begun to use', async () => {
    const provider = sso.provider('demo');
    const person = personClaims(someEmail());
    const { parameters } = await sso.signOn('demo', person);
    await send(provider.logoutToken({ sub: 'somebody else' })).expect(200);
    provider.rotateKeys();
    await send(provider.logoutToken({ sub: person.sub })).expect(200);
    assert.equal(await sso.standing(parameters['demo_token']), 'session_ended');
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

  it('must be published by the provider, which is asked a few times, and then to send the token again later', async () => {
    const provider = sso.provider('demo');
    const sendForged = (header: object) => send(provider.logoutToken({ sub: 'x' }, 'unknown-key', header));
    const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
    for (const header of [{ kid: newId() }, { jwk }, { jku: 'https://evil.example/jwks' }])
      await sendForged(header).expect(400);
    const { headers } = await sendForged({}).expect(problem('too_many_requests'));
    const seconds = Number(headers['retry-after']);
    assert.ok(seconds > 0 && seconds <= 20, String(seconds));
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

describe('the published keys of a provider', () => {
  let status: number;
  let asked: number;
  const server = during(() =>
    serve((_, response) => {
      asked += 1;
      response.writeHead(status).end('{"keys":[{"kty":"EC"}]}');
    }),
  );
  beforeEach(() => ([status, asked] = [200, 0]));

  const open = () => {
    let now = 1_000_000;
    const keys = createProviderKeys({ proxyFor: () => undefined, now: () => now });
    const find = async (isNewer = false) => {
      const url = `http://127.0.0.1:${server.port}/jwks`;
      const found = await keys.find(url, { deadline: AbortSignal.timeout(5000), isNewer });
      return found.kind === 'too_many' ? found.retryAfterSeconds : found.kind;
    };
    return { find, later: (seconds: number) => (now += seconds * 1000) };
  };

  it('are fetched again for an unknown key at once, three times, and then every 20 seconds', async () => {
    const { find, later } = open();
    assert.deepEqual([await find(), await find(true), await find(true), asked], ['keys', 'keys', 'keys', 3]);
    assert.deepEqual([await find(true), await find(), asked], [20, 'keys', 3]);
    later(19);
    assert.deepEqual([await find(true), asked], [1, 3]);
    later(1);
    assert.deepEqual([await find(true), await find(true), asked], ['keys', 20, 4]);
    later(60);
    assert.deepEqual([await find(true), await find(true), await find(true)], ['keys', 'keys', 'keys']);
    assert.deepEqual([await find(true), asked], [20, 7]);
  });

  it('are fetched once for concurrent calls', async () => {
    const { find } = open();
    await find();
    const found = await atOnce(20, () => find(true));
    assert.deepEqual([new Set(found), asked], [new Set(['keys']), 2]);
  });

  it('are unavailable for an unknown key if that failed, and remain valid for known ones', async () => {
    const { find } = open();
    await find();
    status = 500;
    assert.deepEqual([await find(true), await find(), asked], ['unavailable', 'keys', 2]);
    status = 200;
    assert.deepEqual([await find(true), asked], ['keys', 3]);
  });

  it('are fetched for each call until that succeeds, which does not delay later fetches', async () => {
    const { find, later } = open();
    status = 500;
    for (let call = 0; call < 10; call += 1) assert.equal(await find(), 'unavailable');
    status = 200;
    assert.deepEqual([await find(), asked], ['keys', 11]);
    later(20);
    assert.deepEqual([await find(true), asked], ['keys', 12]);
  });

  it('are fetched again after ten minutes, unless there were too many fetches', async () => {
    const { find, later } = open();
    await find();
    later(601);
    status = 500;
    assert.deepEqual([await find(), await find(), await find(), await find()], Array(4).fill('keys'));
    assert.equal(asked, 4);
  });
});
