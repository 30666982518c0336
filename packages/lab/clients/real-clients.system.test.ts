import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { during, endings, eventually } from '@gatehouse/runtime/testing';
import { authJs } from './auth-js.ts';
import { expressOpenidConnect } from './express-openid-connect.ts';
import { openidClient } from './openid-client.ts';
import { passportOpenidConnect } from './passport.ts';
import { startProvider, type Provider } from './provider.ts';
import { itSignsPeopleIn } from './signs-people-in.ts';

describe('an application', () => {
  const provider = during(() => startProvider());
  const atEnd = endings();

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
      atEnd(() => client.stop());
      assert.equal((await client.signIn(browser)).email, browser.email);
    });
  }

  it('on a device, with openid-client, the example, is approved by its code and ended by its owner', async () => {
    const [shown, browser] = [await startTelevision(provider), await provider.newBrowser()];
    atEnd(() => shown.stop());
    const answer = await browser.answerDevice(await shown.userCode());
    assert.equal(answer['Kind'], 'Approved', JSON.stringify(answer));
    assert.equal(await shown.email(), browser.email);
    await browser.signOutDevices();
    await shown.signedOut();
  });
});

const PROGRAM = fileURLToPath(new URL('../../../examples/television/television.mjs', import.meta.url));

/** The example of a device without a browser, with https://github.com/panva/openid-client */
async function startTelevision(provider: Provider) {
  const { clientId } = await provider.register('', '', {
    ...{ RedirectUris: [], PostLogoutRedirectUris: [], IsPublic: true, Grants: 'own' },
    GrantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    Scopes: ['openid', 'email', 'offline_access'],
  });
  const env = { ISSUER: provider.issuer, CLIENT_ID: clientId };
  const child = spawn(process.execPath, [PROGRAM], { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const says = (what: RegExp) => eventually(() => what.exec(said)?.[1] ?? false, 20);
  return {
    userCode: () => says(/type (\S+)/),
    email: () => says(/Signed in as (\S+)\. /),
    signedOut: () => says(/(Signed out)/),
    stop: () => child.kill(),
  };
}
