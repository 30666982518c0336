import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { callAt, PASSWORD, type TokenSet } from '../../src/testing/index.ts';
import { cast, fillLogin, openRow, openTestConsole, signIn, startSite } from '../testing/index.ts';
import type { Site, TestConsole } from '../testing/index.ts';

const FOLDER = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
const EMAIL = 'ann@example.com';
/** These values replace those that differ in each run, so that a picture changes only when the page does. */
const TIME = '3 Feb 2026, 09:41';
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

const USER_AGENTS = {
  computer:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  phone:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  tablet:
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
};

before(() => void mkdirSync(FOLDER, { recursive: true }));

/** Takes the pictures in docs/pages.md (`npm run screenshots`). */
describe('the pictures of the pages', () => {
  const { site } = cast({ SINGLE_SESSION: 'false' }, { demo: true });
  before(async () => {
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
      const page = await site.openAt('/login', { theme });
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
    await openRow(page, 'Password', '/profile/security');
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
    const page = await site.openAt('/register');
    await page.locator('button[type=submit]:not([disabled])').waitFor();
    await take(page, 'register', { width: 390, height: 780 });
  });

  it('profile', async () => {
    const page = await site.openAt('/login', { theme: 'dark' });
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

const WIDE = { locale: 'en', width: 1280 } as const;
/** Who takes each picture, as they are in it. */
const ADMINISTRATORS = [
  'mara.lindqvist',
  'jonas.weber',
  'priya.nair',
  'tom.okafor',
  'lea.fontaine',
  'ivo.horak',
];

/** Takes the pictures in docs/console.md with the demo data (`npm run screenshots`). */
describe('the pictures of the console', function () {
  this.timeout(120_000);
  let site: Site;
  let admin: TestConsole;
  before(async () => {
    const names = [...ADMINISTRATORS];
    const someEmail = (): string => `${names.shift() ?? 'admin'}@gatehouse.example`;
    const started = await startSite({}, { demo: true });
    const login: Site['login'] = (Username, Password) =>
      logIn(started, USER_AGENTS.computer, { Username, Password: Password ?? PASSWORD });
    site = { ...started, someEmail, login };
    admin = await openTestConsole(site);
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  const take = async (page: Page, name: string): Promise<void> => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: `${FOLDER}console-${name}.png` });
  };

  for (const theme of ['light', 'dark'] as const) {
    it(`overview, ${theme}`, async () => {
      const { page } = await admin.open('', { theme, ...WIDE });
      await page.locator('canvas').nth(1).waitFor();
      await page.getByText('Administrators without').waitFor();
      await page.getByText('New in 7 days').waitFor();
      await take(page, `overview-${theme}`);
    });
  }

  for (const [screen, theme] of [
    ['accounts', 'light'],
    ['sessions', 'dark'],
    ['audit', 'light'],
  ] as const) {
    it(`${screen}, ${theme}`, async () => {
      const { page } = await admin.open(`/${screen}`, { theme, ...WIDE });
      await page.getByRole('row').nth(9).waitFor();
      await take(page, screen);
    });
  }

  it('faces under review', async () => {
    const { page } = await admin.open('/persons');
    await page.getByRole('button', { name: 'Review faces' }).click();
    await page.locator('button[data-face]').first().waitFor();
    for (const key of ['c', 'c', 'x', 'c', 'b']) {
      await page.locator('button[data-face][tabindex="0"]').press(key);
    }
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    await take(page, 'faces');
  });
});

/** Logs in as a device does: `fetch` alone would say that it is Node.js. */
async function logIn({ stack }: Site, userAgent: string, body: object): Promise<TokenSet> {
  const given = { body, headers: { 'user-agent': userAgent } };
  const answer = await callAt(stack.facts.baseUrl, 'POST', '/account/login', given);
  return answer.body as unknown as TokenSet; // public-openapi.json
}
