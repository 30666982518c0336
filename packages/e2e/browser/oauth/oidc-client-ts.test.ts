import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as Library from 'oidc-client-ts';
import { cast, fillLogin } from '../testing/index.ts';
import { appOf } from './testing-app.ts';

declare const oidc: typeof Library;

const FOLDER = dirname(createRequire(import.meta.url).resolve('oidc-client-ts/package.json'));

/** https://github.com/authts/oidc-client-ts, which keeps its tokens in the page’s sessionStorage. */
describe('a single-page app with oidc-client-ts', () => {
  const { site } = cast();
  const app = appOf(site, readFileSync(join(FOLDER, 'dist/browser/oidc-client-ts.min.js'), 'utf8'));
  let settings: Library.UserManagerSettings;
  before(async () => {
    settings = {
      authority: site.stack.facts.baseUrl,
      client_id: await app.newClient(),
      redirect_uri: app.callback,
      post_logout_redirect_uri: app.goodbye,
      scope: 'openid email offline_access',
      loadUserInfo: true,
      automaticSilentRenew: false,
    };
  });

  it('signs in, reads userinfo, refreshes, all from another origin, and logs out, which ends the session', async () => {
    const email = await site.newAccount();
    const page = await site.openAt(app.origin);
    await page.evaluate((given) => void new oidc.UserManager(given).signinRedirect(), settings);
    await fillLogin(page, email);
    await page.getByRole('button', { name: 'Allow', disabled: false }).click();
    await page.waitForURL(`${app.callback}?*`);
    const profile = await page.evaluate(
      async (given) => (await new oidc.UserManager(given).signinCallback())?.profile,
      settings,
    );
    assert.equal(profile?.email, email);
    for (let time = 1; time <= 2; time += 1) {
      // Refreshes and reads userinfo.
      const renewed = await page.evaluate((given) => new oidc.UserManager(given).signinSilent(), settings);
      assert.equal(renewed?.profile.email, email);
    }
    await page.evaluate((given) => void new oidc.UserManager(given).signoutRedirect(), settings);
    await page.waitForURL(`${app.goodbye}*`);
    await page.goto(`${site.origin}/profile`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
