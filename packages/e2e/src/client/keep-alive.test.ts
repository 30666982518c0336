import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@gatehouse/runtime/testing';
import { installation, type TestClient } from './testing/installation.ts';

const PATH = '/account/ping';
/** The timer of each tab fires for the first time within a second. */
const FIRST_WITHIN_MS = 1200;

describe('keepAlive of gatehouse-client', function () {
  this.timeout(20_000);
  const at = installation();

  const signIn = async (tabs: readonly TestClient[]) => {
    await tabs[0]?.auth.login(await at.newPerson());
    await eventually(() => tabs.every(({ auth }) => auth.getState().kind === 'signed-in'));
  };
  const pings = (tabs: readonly TestClient[]) =>
    tabs.flatMap(({ asked }) => asked).filter((path) => path === PATH).length;

  it('pings once for all tabs of a browser', async () => {
    const tabs = at.openTabs(4);
    await signIn(tabs);
    const [first, ...others] = tabs;
    first?.auth.keepAlive({ isActive: () => true });
    await eventually(() => pings(tabs) === 1);
    for (const { auth } of others) auth.keepAlive({ isActive: () => true });
    await pause(FIRST_WITHIN_MS);
    assert.equal(pings(tabs), 1);
  });

  it('sends no ping while the user is away or after it was stopped', async () => {
    const away = at.open();
    const stopped = at.open();
    await signIn([away]);
    await signIn([stopped]);
    let looks = 0;
    away.auth.keepAlive({ isActive: () => (looks += 1) < 0 });
    stopped.auth.keepAlive({ isActive: () => true })();
    await eventually(() => looks === 1);
    await pause(FIRST_WITHIN_MS);
    assert.equal(pings([away, stopped]), 0);
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
