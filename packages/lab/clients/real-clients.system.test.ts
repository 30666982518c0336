import assert from 'node:assert/strict';
import { authJs } from './auth-js.ts';
import { device, television } from './devices.ts';
import { expressOpenidConnect } from './express-openid-connect.ts';
import { oauth4webapi } from './oauth4webapi.ts';
import { openidClient } from './openid-client.ts';
import { passportOpenidConnect } from './passport.ts';
import { startProvider, type Provider } from './provider.ts';
import { itSignsPeopleIn } from './signs-people-in.ts';

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
      itSignsPeopleIn(start, isTold, () => provider);
    });
  }

  for (const [name, start] of [
    ['openid-client, the example', television],
    ['oauth4webapi', device],
  ] as const) {
    it(`on a device, with ${name}, is approved by its code and ended by its owner`, async () => {
      const [shown, browser] = [await start(provider), await provider.newBrowser()];
      try {
        const answer = await browser.answerDevice(await shown.userCode(), 'granted');
        assert.equal(answer['Kind'], 'Approved', JSON.stringify(answer));
        assert.equal(await shown.email(), browser.email);
        await browser.signOutDevices();
        await shown.signedOut();
      } finally {
        shown.stop();
      }
    });
  }
});
