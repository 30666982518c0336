import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@gatehouse/runtime/testing';
import { addGlobals, countOf, installation, signIn } from './testing/installation.ts';
import type { Installation, TestClient } from './testing/installation.ts';

const PATH = '/account/ping';
/** The timer of each tab fires for the first time within a second. */
const FIRST_WITHIN_MS = 1200;

describe('keepAlive of gatehouse-client', () => {
  const at = installation();

  it('pings once for all tabs of a browser', async () => {
    const tabs = at.openTabs(4);
    await signIn(await at.newPerson(), tabs);
    const [first, ...others] = tabs;
    first?.auth.keepAlive({ isActive: () => true });
    await eventually(() => countOf(PATH, tabs) === 1);
    for (const { auth } of others) auth.keepAlive({ isActive: () => true });
    await pause(FIRST_WITHIN_MS);
    assert.equal(countOf(PATH, tabs), 1);
  });

  it('sends no ping while the user is away or after it was stopped', async () => {
    const away = at.open();
    const stopped = at.open();
    for (const tab of [away, stopped]) await signIn(await at.newPerson(), [tab]);
    let looks = 0;
    away.auth.keepAlive({ isActive: () => (looks += 1) < 0 });
    stopped.auth.keepAlive({ isActive: () => true })();
    await eventually(() => looks === 1);
    await pause(FIRST_WITHIN_MS);
    assert.equal(countOf(PATH, [away, stopped]), 0);
  });

  it('sends the content that is watched, and reports the end of the session', async () => {
    const tab = at.open();
    const person = await at.newPerson();
    await tab.auth.login(person);
    const bodies: unknown[] = [];
    tab.go(({ path, body }, send) => {
      if (path === PATH) bodies.push(JSON.parse(body));
      return send();
    });
    await at.change({ UserId: person.id, Status: 4 });
    const contentDefinitionId = '0b4a4a5e-3f0a-4d43-9d3c-0d3a3b1f6a11';
    tab.auth.keepAlive({ contentDefinitionId, isActive: () => true });
    await eventually(() => tab.told.at(-1)?.name === 'ended');
    assert.deepEqual(bodies, [{ ContentDefinitionId: contentDefinitionId }]);
  });
});

/** The parts of a page that a client uses: the document, and the event listeners of its window. */
function enterPage() {
  const window = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const leave = addGlobals({ document, addEventListener: window.addEventListener.bind(window) });
  return {
    leave,
    see: (visibilityState: 'visible' | 'hidden') => {
      Object.assign(document, { visibilityState });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    hear: (name: string, facts: object = {}) => window.dispatchEvent(Object.assign(new Event(name), facts)),
  };
}

describe('a page with gatehouse-client that slept', () => {
  const at = installation();
  let page: ReturnType<typeof enterPage>;
  let tab: TestClient;
  let person: Awaited<ReturnType<Installation['newPerson']>>;
  beforeEach(async () => {
    person = await at.newPerson();
    page = enterPage();
    tab = at.open({ events: 'ping' });
    await tab.auth.login(person);
  });
  afterEach(() => page.leave());

  const pings = () => countOf(PATH, [tab]);

  for (const [name, wake] of [
    ['is seen again', () => page.see('visible')],
    ['is online again', () => page.hear('online')],
    ['comes back from the back-forward cache', () => page.hear('pageshow', { persisted: true })],
  ] as const) {
    it(`pings at once when it ${name}, and learns that its session is over`, async () => {
      await at.change({ UserId: person.id, Status: 4 });
      page.see('hidden');
      assert.equal(pings(), 0);
      if (name !== 'is seen again') Object.assign(document, { visibilityState: 'visible' });
      wake();
      await eventually(() => tab.told.at(-1)?.name === 'ended', 2);
      assert.equal(pings(), 1);
    });
  }

  it('takes tokens of other tabs again after it comes back from the back-forward cache', async () => {
    page.hear('pagehide');
    page.hear('pageshow', { persisted: true });
    await eventually(() => pings() === 1);
    await tab.auth.logout();
    assert.equal(tab.told.at(-1)?.name, 'ended');
  });

  it('pings once for simultaneous events, and not while it is hidden, reloaded or closed', async () => {
    page.see('hidden');
    page.hear('online');
    page.hear('pageshow', { persisted: false });
    await pause(200);
    assert.equal(pings(), 0);
    page.see('visible');
    await eventually(() => pings() === 1);
    page.hear('online');
    page.hear('pageshow', { persisted: true });
    await pause(200);
    assert.equal(pings(), 1);
    tab.auth.close();
    tab.asked.length = 0;
    page.see('visible');
    await pause(200);
    assert.equal(pings(), 0);
  });
});
