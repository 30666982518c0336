import assert from 'node:assert/strict';
import { GatehouseError, readMailLink } from 'gatehouse-client';
import { serve } from '@gatehouse/runtime/testing';
import { installation, type TestClient } from './testing/installation.ts';

describe('calls of gatehouse-client', () => {
  const at = installation();
  let tab: TestClient;
  beforeEach(async () => {
    tab = at.open();
    await tab.auth.login(await at.newPerson());
    tab.asked.length = 0;
  });

  const answer = (status: number, code: string, headers: Record<string, string> = {}) =>
    Promise.resolve(new Response(JSON.stringify({ code }), { status, headers }));

  it('send the token to no other origin', async () => {
    await assert.rejects(tab.auth.fetch('https://evil.example/things'), TypeError);
    await assert.rejects(tab.auth.fetch('//evil.example/things'), TypeError);
    assert.deepEqual(tab.asked, []);
    const apart = at.open({ origins: ['https://api.example.com'] });
    await apart.auth.login(await at.newPerson());
    apart.go(() => answer(200, ''));
    assert.equal((await apart.auth.fetch('https://api.example.com/things')).status, 200);
  });

  it('send it to no other origin on redirect', async () => {
    const seen: (string | undefined)[] = [];
    const server = await serve(({ url, headers }, response) => {
      seen.push(headers.authorization);
      const there = url === '/away' ? `http://localhost:${server.port}/there` : '/there';
      if (url === '/there') response.end();
      else response.writeHead(307, { location: there }).end();
    });
    const apart = at.open({ origins: [server.url] });
    await apart.auth.login(await at.newPerson());
    await apart.auth.fetch(`${server.url}/here`);
    await apart.auth.fetch(`${server.url}/away`);
    await server.stop();
    const bearer = `Bearer ${await apart.auth.token()}`;
    assert.deepEqual(seen, [bearer, bearer, bearer, undefined]);
  });

  it('refresh a token that the server reports as expired, and retry once', async () => {
    const before = await tab.auth.token();
    tab.go(({ path }, send) => (path === '/api/things' ? answer(401, 'token_expired') : send()));
    const { status } = await tab.auth.fetch('/api/things', { method: 'POST', body: 'x' });
    assert.equal(status, 401);
    assert.deepEqual(tab.asked, ['/api/things', '/account/refresh-token', '/api/things']);
    assert.notEqual(await tab.auth.token(), before);
    assert.equal(tab.auth.getState().kind, 'signed-in');
  });

  it('are sent at most three times if idempotent, and once otherwise', async () => {
    tab.go(() => answer(503, 'unavailable', { 'retry-after': '1' }));
    assert.equal((await tab.auth.fetch('/api/things')).status, 503);
    assert.equal(tab.asked.length, 3);
    assert.equal((await tab.auth.fetch('/api/things', { method: 'POST', body: 'x' })).status, 503);
    assert.equal(tab.asked.length, 4);
    tab.go(() => answer(503, 'unavailable', { 'retry-after': '31' }));
    assert.equal((await tab.auth.fetch('/api/things')).status, 503);
    assert.equal(tab.asked.length, 5);
  });

  it('are retried, of any method, if they never reached the server', async () => {
    const server = await serve(() => {});
    await server.stop();
    let tries = 0;
    tab.go(() => {
      tries += 1;
      return tries < 3 ? fetch(server.url) : answer(200, '');
    });
    const { status } = await tab.auth.fetch('/api/things', { method: 'POST', body: 'x' });
    assert.deepEqual([status, tries], [200, 3]);
  });

  it('of the API reject with the problem details', async () => {
    await assert.rejects(
      tab.auth.api.changePassword({ CurrentPassword: 'a wrong one', Password: 'a wholly new one' }),
      (error: unknown) =>
        error instanceof GatehouseError && error.code === 'wrong_password' && error.status === 403,
    );
    await assert.rejects(tab.auth.api.listSessions(), { code: 'forbidden' });
    assert.equal(await tab.auth.api.ping(), 'Pong');
    assert.equal((await tab.auth.api.listOwnSessions({ limit: 1 })).Items.length, 1);
    const [{ Id: id } = assert.fail()] = (await tab.auth.api.listOwnSessions()).Items;
    assert.equal(await tab.auth.api.endOwnSession({ id }), undefined);
    await assert.rejects(tab.auth.api.getProfile(), { code: 'session_ended' });
  });

  it('hand over with an access token that has half of its life before it', async () => {
    const lifetime = 3_600_000;
    let ahead = 0;
    const { auth, asked } = at.open({ now: () => Date.now() + ahead });
    await auth.login(await at.newPerson());
    asked.length = 0;
    assert.match(await auth.handover('security'), /\/profile\/security#HandoverCode=/);
    ahead = lifetime * 0.45;
    await auth.handover();
    assert.deepEqual(asked, ['/account/handover', '/account/handover']);
    ahead = lifetime * 0.55;
    await auth.handover();
    assert.deepEqual(asked.slice(2), ['/account/refresh-token', '/account/handover']);
  });
});

describe('readMailLink', () => {
  for (const [pathname, hash, link] of [
    [
      '/verify-email',
      '#Email=a%2Bb%40example.com&Code=ABCD-1234',
      { kind: 'verify-email', email: 'a+b@example.com', code: 'ABCD-1234' },
    ],
    [
      '/accounts/reset-password',
      '#Email=a%40example.com&Code=X',
      { kind: 'reset-password', email: 'a@example.com', code: 'X' },
    ],
    ['/confirm-email/', '#Code=X', { kind: 'confirm-email', code: 'X' }],
    [
      '/complete-account',
      '#Email=a%40b.example&Code=C',
      { kind: 'complete-account', email: 'a@b.example', code: 'C' },
    ],
    ['/register-guest', '#InvitationToken=T', { kind: 'register-guest', invitationToken: 'T' }],
    ['/verify-email', '#Code=X', undefined],
    ['/login', '#Code=X', undefined],
    ['/constructor', '#Code=X', undefined],
    ['/', '', undefined],
  ] as const) {
    it(`reads ${pathname}${hash}`, () => {
      assert.deepEqual(readMailLink({ pathname, search: '', hash }), link);
    });
  }
});
