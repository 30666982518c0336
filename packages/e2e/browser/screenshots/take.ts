import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';
import { cast, fillLogin, openRow, signIn } from '../testing/index.ts';
import { logIn, USER_AGENTS } from './log-in.ts';

const FOLDER = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
const EMAIL = 'ann@example.com';
/** These values replace those that differ in each run, so that a picture changes only when the page does. */
const TIME = '3 Feb 2026, 09:41';
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** Takes the pictures in docs/pages.md (`npm run screenshots`). */
describe('the pictures of the pages', () => {
  const { site } = cast({ SINGLE_SESSION: 'false' }, { demo: true });
  before(async () => {
    mkdirSync(FOLDER, { recursive: true });
    await site.post('/account/register', { Email: EMAIL, Password: PASSWORD, DisplayName: 'Ann Example' });
    await site.post('/account/verify', { Email: EMAIL, Code: await site.mailedCode(EMAIL) });
  });

  const take = async (page: Page, name: string, size?: { width: number; height: number }): Promise<void> => {
    if (size) await page.setViewportSize(size);
    await page.evaluate((words) => {
      for (const time of document.querySelectorAll('time')) time.textContent = words;
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    }, TIME);
    await page.screenshot({ path: `${FOLDER}${name}.png` });
  };

  for (const theme of ['light', 'dark'] as const) {
    it(`login, ${theme}`, async () => {
      const page = await site.openPage({ theme });
      await page.goto('/login');
      await page.getByLabel('Email address').fill(EMAIL);
      await take(page, `login-${theme}`, { width: 720, height: 880 });
    });
  }

  it('sessions, of three devices', async () => {
    for (const [DeviceName, userAgent] of [
      ['Ann’s tablet', USER_AGENTS.tablet],
      ['Ann’s phone', USER_AGENTS.phone],
    ] as const) {
      await logIn(site, userAgent, { Username: EMAIL, Password: PASSWORD, DeviceName });
    }
    const page = await site.openPage();
    await signIn(page, EMAIL);
    await page.goto('/profile/sessions');
    await page.getByText('This one').waitFor();
    await page.getByText('None so far.').waitFor();
    await take(page, 'sessions', { width: 960, height: 860 });
  });

  it('security, and the set-up of a second factor', async () => {
    const page = await site.openPage();
    await signIn(page, EMAIL);
    await page.goto('/profile/security');
    await openRow(page, 'Password');
    await page.getByText('None linked').waitFor();
    await take(page, 'security', { width: 960, height: 860 });
    await page.route('**/account/two-factor', async (route) => {
      const OtpAuthUri = `otpauth://totp/Gatehouse:${encodeURIComponent(EMAIL)}?secret=${SECRET}&issuer=Gatehouse`;
      await route.fulfill({ json: { TwoFactorSetup: { Secret: SECRET, OtpAuthUri } } });
    });
    await page.getByRole('button', { name: /^Cancel/ }).click();
    const step = await openRow(page, 'Two-factor authentication');
    await step.locator('input[name=Password]').fill(PASSWORD);
    await step.locator('button[type=submit]').click();
    await page.getByRole('img', { name: /QR/ }).waitFor();
    await page.setViewportSize({ width: 960, height: 860 });
    await page
      .locator('section', { has: page.getByRole('img') })
      .evaluate((section) => section.scrollIntoView());
    await take(page, 'two-factor');
  });

  it('registration, on a phone', async () => {
    const page = await site.openPage();
    await page.goto('/register');
    await page.locator('button[type=submit]:not([disabled])').waitFor();
    await take(page, 'register', { width: 390, height: 780 });
  });

  it('profile', async () => {
    const page = await site.openPage({ theme: 'dark' });
    await page.goto('/login');
    await fillLogin(page, EMAIL);
    await page.getByText('1 of 3 done').waitFor();
    await take(page, 'profile-dark', { width: 960, height: 860 });
  });

  it('apps', async () => {
    const { appUrl = '' } = site.stack.facts;
    const page = await site.openPage();
    await signIn(page, EMAIL);
    await page.goto(appUrl);
    await page.getByRole('button', { name: 'Sign in with Gatehouse' }).click();
    await page.getByRole('button', { name: 'Allow', disabled: false }).click();
    await page.waitForURL(`${appUrl}/**`);
    await page.goto('/profile/apps');
    await page.getByText('Demo application').waitFor();
    await take(page, 'apps', { width: 960, height: 560 });
  });
});
