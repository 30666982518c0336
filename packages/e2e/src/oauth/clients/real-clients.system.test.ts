import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { authJs } from './auth-js.ts';
import { expressOpenidConnect } from './express-openid-connect.ts';
import { oauth4webapi } from './oauth4webapi.ts';
import { openidClient } from './openid-client.ts';
import { passportOpenidConnect } from './passport.ts';
import { startProvider, type Provider, type UserBrowser } from './provider.ts';
import type { RealClient } from './real-client.ts';

describe('an application', function () {
  this.timeout(60_000);
  let provider: Provider;
  before(async () => {
    provider = await startProvider();
  });
  after(() => provider.stop());

  for (const [name, start, isTold] of [
    ['openid-client', openidClient, false],
    ['oauth4webapi', oauth4webapi, false],
    ['express-openid-connect', expressOpenidConnect, true],
    ['@auth/express', authJs, false],
    ['passport-openidconnect', passportOpenidConnect, false],
  ] as const) {
    describe(`with ${name}`, () => {
      let client: RealClient;
      let browser: UserBrowser;
      before(async () => {
        client = await start(provider);
      });
      after(() => client.stop());
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
          const endedAt = Date.now();
          await eventually(async () => (await client.isSignedIn?.()) === false);
          const late = Date.now() - endedAt;
          assert.ok(late < 2000, `${late} ms`);
        });

      it('logs out, which ends the session', async () => {
        await client.signIn(browser);
        await client.logOut(browser);
        await assert.rejects(client.signIn(browser), /"Kind":"Login"/);
      });
    });
  }
});
