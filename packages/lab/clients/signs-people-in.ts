import assert from 'node:assert/strict';
import { during, eventually, msOf } from '@gatehouse/runtime/testing';
import type { Provider, UserBrowser } from './provider.ts';
import type { StartClient } from './real-client.ts';

/** What every application does. `isTold`: it is told of the end of sessions. */
export function itSignsPeopleIn(start: StartClient, isTold: boolean, provider: Provider): void {
  const client = during(() => start(provider));
  let browser: UserBrowser;
  beforeEach(async () => {
    browser = await provider.newBrowser();
  });

  it('signs in, reads userinfo and refreshes', async () => {
    assert.equal((await client.signIn(browser)).email, browser.email);
    assert.equal(await client.userinfo(), browser.email);
    await client.refresh();
    assert.equal(await client.userinfo(), browser.email);
  });

  it('is refused once the session was ended elsewhere', async () => {
    const { sessionId } = await client.signIn(browser);
    await provider.endSession(sessionId);
    await assert.rejects(client.userinfo());
    await assert.rejects(client.refresh());
  });

  if (isTold)
    it('is told within two seconds that the session has ended', async () => {
      const { sessionId } = await client.signIn(browser);
      assert.equal(await client.isSignedIn?.(), true);
      await provider.endSession(sessionId);
      const late = await msOf(() => eventually(async () => (await client.isSignedIn?.()) === false));
      assert.ok(late < 2000, `${late} ms`);
    });

  it('logs out, which ends the session', async () => {
    await client.signIn(browser);
    await client.logOut(browser);
    await assert.rejects(client.signIn(browser), /"Kind":"Login"/);
  });
}
