import assert from 'node:assert/strict';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { countOf, installation, signIn, type TestClient } from './testing/installation.ts';

const REFRESH = '/account/refresh-token';

describe('a refresh of gatehouse-client', () => {
  const at = installation();
  let ahead: number;
  beforeEach(() => (ahead = 0));

  const now = () => Date.now() + ahead;
  const openTabs = async (count: number): Promise<[TestClient, ...TestClient[]]> => {
    const [first, ...others] = at.openTabs(count, { now });
    assert.ok(first);
    await signIn(await at.newPerson(), [first, ...others]);
    return [first, ...others];
  };
  const HOUR_MS = 3_600_000;

  it('is requested once by twenty tabs that need a token at once', async () => {
    const tabs = await openTabs(20);
    ahead = HOUR_MS;
    const tokens = await Promise.all(tabs.map(({ auth }) => auth.token()));
    assert.equal(new Set(tokens).size, 1);
    assert.equal(countOf(REFRESH, tabs), 1);
  });

  for (const [what, answer] of [
    ['never asks', () => new Promise<never>(() => {})],
    ['has no network', () => Promise.reject(new TypeError('fetch failed'))],
  ] as const) {
    it(`is taken over by one of twenty tabs if the one in charge ${what}`, async () => {
      const [first, ...others] = await openTabs(20);
      ahead = HOUR_MS;
      first.go(answer);
      void first.auth.token().catch(() => {});
      await eventually(() => first.asked.includes(REFRESH));
      const tokens = await Promise.all(others.map(({ auth }) => auth.token()));
      assert.deepEqual([new Set(tokens).size, countOf(REFRESH, others)], [1, 1]);
    });
  }

  for (const [what, answer] of [
    ['the network is gone', () => Promise.reject(new TypeError('fetch failed'))],
    ['the service is not there', () => Promise.resolve(new Response('', { status: 502 }))],
    ['something else answers 401', () => Promise.resolve(new Response('<html>', { status: 401 }))],
  ] as const) {
    it(`ends no session when ${what}, and works afterwards`, async () => {
      const [tab] = await openTabs(1);
      ahead = HOUR_MS;
      tab.go(answer);
      await assert.rejects(tab.auth.token(), { name: 'GatehouseError' });
      assert.equal(tab.auth.getState().kind, 'signed-in');
      tab.go();
      assert.ok(await tab.auth.token());
      assert.deepEqual(fieldsOf(tab.told, 'name'), ['signed-in']);
    });
  }

  it('is retried after the time in Retry-After', async () => {
    const [tab] = await openTabs(1);
    ahead = HOUR_MS;
    let refused = 0;
    tab.go((_, send) =>
      refused++ === 0
        ? Promise.resolve(new Response('{}', { status: 503, headers: { 'retry-after': '1' } }))
        : send(),
    );
    const begun = Date.now();
    await tab.auth.token();
    assert.ok(Date.now() - begun >= 1000);
  });

  it('whose response is lost does not end the session', async () => {
    const [tab] = await openTabs(1);
    ahead = HOUR_MS;
    let lost = 0;
    tab.go(async (_, send) => {
      const answer = await send();
      if (lost++ < 3) throw new TypeError('fetch failed');
      return answer;
    });
    await assert.rejects(tab.auth.token(), { code: 'offline' });
    assert.ok(await tab.auth.token());
    assert.equal(tab.auth.getState().kind, 'signed-in');
  });

  it('does not restore an older session with a late response', async () => {
    const [slow, other] = await openTabs(2);
    assert.ok(other);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    ahead = HOUR_MS;
    slow.go(async (_, send) => {
      const answer = await send();
      await held;
      return answer;
    });
    const late = slow.auth.token();
    await eventually(() => slow.asked.includes(REFRESH));
    const next = await at.newPerson();
    await other.auth.login(next);
    release();
    await late.catch(() => {});
    for (const { auth } of [slow, other]) {
      const state = auth.getState();
      assert.ok(state.kind === 'signed-in' && state.session.accountId === next.id);
    }
    assert.equal((await other.storage.read())?.session?.accountId, next.id);
    await other.auth.logout();
    await eventually(() => slow.auth.getState().kind === 'signed-out');
    assert.equal((await other.storage.read())?.session, undefined);
  });

  it('sends the stored token if the tab was suspended while reading it', async () => {
    const [tab] = await openTabs(1);
    const { read } = tab.storage;
    let stored = '';
    let sleeps = 0;
    tab.storage.read = async () => {
      const kept = await read();
      // The tab sleeps for an hour after reading an old token. Meanwhile other tabs rotate it.
      if (sleeps++ === 0) ahead += HOUR_MS;
      else stored = kept?.session?.refreshToken ?? '';
      return kept;
    };
    const sent: string[] = [];
    tab.go(({ path, body }, send) => {
      if (path === REFRESH) sent.push((JSON.parse(body) as { RefreshToken: string }).RefreshToken);
      return send();
    });
    ahead = HOUR_MS;
    await tab.auth.token();
    assert.deepEqual([sleeps > 1, sent], [true, [stored]]);
  });
});
