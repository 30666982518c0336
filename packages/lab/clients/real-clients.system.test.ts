import assert from 'node:assert/strict';
import { during } from '@gatehouse/runtime/testing';
import { authJs } from './auth-js.ts';
import { expressOpenidConnect } from './express-openid-connect.ts';
import { openidClient } from './openid-client.ts';
import { passportOpenidConnect } from './passport.ts';
import { startProvider } from './provider.ts';
import { itSignsPeopleIn } from './signs-people-in.ts';
import { startTelevision } from './television.ts';

describe('an application', function () {
  this.timeout(60_000);
  const provider = during(() => startProvider());

  for (const [name, start, isTold] of [
    ['openid-client', openidClient, false],
    ['express-openid-connect', expressOpenidConnect, true],
  ] as const) {
    describe(`with ${name}`, () => {
      itSignsPeopleIn(start, isTold, provider);
    });
  }

  for (const [name, start] of [
    ['@auth/express', authJs],
    ['passport-openidconnect', passportOpenidConnect],
  ] as const) {
    it(`with ${name} signs in`, async () => {
      const [client, browser] = [await start(provider), await provider.newBrowser()];
      try {
        assert.equal((await client.signIn(browser)).email, browser.email);
      } finally {
        await client.stop();
      }
    });
  }

  it('on a device, with openid-client, the example, is approved by its code and ended by its owner', async () => {
    const [shown, browser] = [await startTelevision(provider), await provider.newBrowser()];
    try {
      const answer = await browser.answerDevice(await shown.userCode());
      assert.equal(answer['Kind'], 'Approved', JSON.stringify(answer));
      assert.equal(await shown.email(), browser.email);
      await browser.signOutDevices();
      await shown.signedOut();
    } finally {
      shown.stop();
    }
  });
});
