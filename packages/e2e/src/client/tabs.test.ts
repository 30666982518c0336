import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { startInstallation, type Installation } from './testing/installation.ts';

describe('@gatehouse/client', function () {
  this.timeout(30_000);
  let installation: Installation;
  before(async () => {
    installation = await startInstallation({ ACCESS_TOKEN_SECONDS: 5 });
  });
  afterEach(() => installation.closeClients());
  after(() => installation.stop());

  it('signs in, calls as the current user, and signs out', async () => {
    const { auth, told } = installation.open();
    const person = await installation.newPerson();
    await auth.ready;
    assert.deepEqual(auth.getState(), { kind: 'signed-out' });
    const outcome = await auth.login(person);
    assert.equal(outcome.kind, 'signed-in');
    assert.equal((await auth.api.getProfile()).Email, person.Username);
    const answer = await auth.fetch('/ping/auth');
    assert.equal(answer.headers.get('x-auth-account'), person.id);
    await auth.logout();
    await assert.rejects(auth.token(), { code: 'signed_out' });
    assert.deepEqual(
      told.map(({ name }) => name),
      ['signed-in', 'ended'],
    );
  });

  it('refreshes once for all tabs, which then have the same token', async () => {
    const tabs = installation.openTabs(6);
    await tabs[0]?.auth.login(await installation.newPerson());
    await eventually(() => tabs.every(({ auth }) => auth.getState().kind === 'signed-in'));
    const first = await Promise.all(tabs.map(({ auth }) => auth.token()));
    assert.equal(new Set(first).size, 1);
    const refreshes = () =>
      tabs.flatMap(({ asked }) => asked).filter((path) => path.includes('refresh')).length;
    assert.equal(refreshes(), 0);
    await eventually(async () => (await tabs[0]?.auth.token()) !== first[0], 10);
    const second = await Promise.all(tabs.map(({ auth }) => auth.token()));
    assert.equal(new Set(second).size, 1);
    assert.equal(refreshes(), 1);
  });

  it('ends in every tab, with the reason', async () => {
    const tabs = installation.openTabs(3);
    const person = await installation.newPerson();
    await tabs[0]?.auth.login(person);
    await eventually(() => tabs.every(({ auth }) => auth.getState().kind === 'signed-in'));
    await installation.open().auth.login({ ...person, DeviceName: 'the other one' });
    await tabs[1]?.auth.ping();
    await eventually(() => tabs.every(({ told }) => told.at(-1)?.name === 'ended'));
    for (const { told } of tabs) {
      const ending = told.at(-1)?.event as { reason: string; by?: { DeviceName?: string } };
      assert.deepEqual([ending.reason, ending.by?.DeviceName], ['replaced', 'the other one']);
    }
  });
});
