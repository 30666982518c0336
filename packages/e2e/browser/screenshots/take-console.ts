import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../src/testing/index.ts';
import { openTestConsole, startSite, type Site, type TestConsole } from '../testing/index.ts';
import { logIn, USER_AGENTS } from './log-in.ts';

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
const FOLDER = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));

/** Takes the pictures in docs/console.md with the demo data (`npm run screenshots`). */
describe('the pictures of the console', function () {
  this.timeout(120_000);
  let site: Site;
  let admin: TestConsole;
  before(async () => {
    mkdirSync(FOLDER, { recursive: true });
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
