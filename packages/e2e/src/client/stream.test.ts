import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { countOf, endingsOf, installation, signIn } from './testing/installation.ts';
import type { Installation, TestClient } from './testing/installation.ts';

const PATH = '/account/session/stream';

function busy(retryAfter: string): Response {
  return new Response('', { status: 503, headers: { 'retry-after': retryAfter } });
}

function streamOf(body: BodyInit): Response {
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

describe('the stream of gatehouse-client', () => {
  const at = installation();
  let person: Awaited<ReturnType<Installation['newPerson']>>;
  let tabs: TestClient[];
  beforeEach(async () => {
    person = await at.newPerson();
    tabs = at.openTabs(4, { events: 'stream' });
  });

  const streams = (of = tabs) => countOf(PATH, of);
  const reader = () => tabs.find((tab) => streams([tab]) > 0);
  const areTold = (reason: string, withinSeconds: number) =>
    eventually(
      () => tabs.every((tab) => fieldsOf(endingsOf(tab), 'reason').join() === reason),
      withinSeconds,
    );

  it('notifies every tab of a chat restriction and of the end within a second, without requests', async () => {
    const signals: AbortSignal[] = [];
    for (const tab of tabs) {
      tab.go(({ path, signal }, send) => {
        if (path === PATH) signals.push(signal);
        return send();
      });
    }
    await signIn(person, tabs);
    await eventually(() => signals.length > 0);
    // If two tabs have opened a stream, they notice it, and one closes its stream.
    await eventually(() => signals.filter(({ aborted }) => !aborted).length === 1);
    for (const [Status, name] of [
      [2, 'restricted'],
      [1, 'restored'],
    ] as const) {
      await at.change({ UserId: person.id, Status });
      await eventually(() => tabs.every(({ told }) => told.at(-1)?.name === name), 2);
    }
    await at.change({ UserId: person.id, Status: 4 });
    await areTold('deactivated', 1);
    const asked = new Set(tabs.flatMap((tab) => tab.asked));
    assert.deepEqual([...asked], ['/account/login', PATH]);
  });

  it('moves to another tab when the tab that holds it is closed', async () => {
    await signIn(person, tabs);
    const first = await eventually(reader);
    first.auth.close();
    tabs = tabs.filter((tab) => tab !== first);
    await eventually(() => reader(), 2);
    await at.change({ UserId: person.id, Status: 4 });
    await areTold('deactivated', 1);
  });

  it('follows the session of the next user, and reports which login has replaced it', async () => {
    await signIn(person, tabs);
    await eventually(() => streams() > 0);
    await tabs[1]?.auth.logout();
    await areTold('logged-out', 1);
    for (const { told, asked } of tabs) told.length = asked.length = 0;
    await signIn(person, tabs, tabs[2]);
    await eventually(() => streams() > 0);
    await at.open().auth.login({ ...person, DeviceName: 'A new telephone' });
    await areTold('replaced', 1);
    const [ending] = endingsOf(tabs[3] ?? assert.fail());
    assert.equal(ending?.by?.DeviceName, 'A new telephone');
  });

  for (const [name, answer, tries] of [
    ['there is none', () => new Response('', { status: 404 }), 1],
    ['a proxy answers', () => new Response('<p>Hello</p>', { headers: { 'content-type': 'text/html' } }), 1],
    ['there are too many', () => new Response('', { status: 429, headers: { 'retry-after': '1' } }), 2],
    ['the server is away', () => new Response('', { status: 503 }), 2],
    ['nobody answers', () => Promise.reject(new TypeError('refused')), 2],
  ] as const) {
    it(`falls back to pings and calls if ${name}`, async () => {
      for (const tab of tabs)
        tab.go(({ path }, send) => (path === PATH ? Promise.resolve(answer()) : send()));
      await signIn(person, tabs);
      await eventually(() => streams([...tabs]) >= tries, 5);
      const areFew = tabs.every((tab) => streams([tab]) <= 3);
      assert.ok(areFew, String(streams()));
      await at.change({ UserId: person.id, Status: 4 });
      await tabs[0]?.auth.ping();
      await areTold('deactivated', 1);
    });
  }

  for (const [name, answer] of [
    ['a date', () => busy(new Date(Date.now() + 60_000).toUTCString())],
    ['a date that is over', () => busy('Sun, 06 Nov 1994 08:49:37 GMT')],
    ['a month', () => busy('2592000')],
    ['less than nothing', () => busy('-60')],
    ['what is no time', () => busy('later')],
    ['a year, by the stream', () => streamOf('retry: 31536000000\n\n')],
  ] as const) {
    it(`is not reopened before the time in Retry-After: ${name}`, async () => {
      const tab = at.open({ events: 'stream' });
      tab.go(({ path }, send) => (path === PATH ? Promise.resolve(answer()) : send()));
      await tab.auth.login(person);
      await eventually(() => streams([tab]) > 0);
      await pause(900);
      assert.equal(streams([tab]), 1);
    });
  }

  it('is reopened if a proxy buffers it', async () => {
    let isHeldBack = true;
    for (const tab of tabs) {
      tab.go(({ path }, send) => {
        if (path !== PATH || !isHeldBack) return send();
        return Promise.resolve(streamOf(new ReadableStream()));
      });
    }
    await signIn(person, tabs);
    await eventually(() => streams() > 0);
    isHeldBack = false;
    const before = streams();
    await eventually(() => streams() > before, 20);
    await pause(500);
    await at.change({ UserId: person.id, Status: 4 });
    await areTold('deactivated', 1);
  });

  it('is not opened outside of pages unless requested', async () => {
    tabs = at.openTabs(2);
    await signIn(person, tabs);
    await tabs[0]?.auth.ping();
    assert.equal(streams(), 0);
  });
});

describe('the stream of gatehouse-client, whose tokens live for 5 s', () => {
  const at = installation({ ACCESS_TOKEN_SECONDS: 5 });

  it('is reopened with each of them', async () => {
    const { auth, asked, told } = at.open({ events: 'stream' });
    await auth.login(await at.newPerson());
    await eventually(() => asked.filter((path) => path === PATH).length >= 2, 20);
    await auth.logout();
    assert.deepEqual(fieldsOf(told, 'name'), ['signed-in', 'ended']);
  });
});
