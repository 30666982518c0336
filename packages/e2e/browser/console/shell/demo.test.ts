import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { openTestConsole, startSite, type Site, type TestConsole } from '../../testing/index.ts';

describe('the console over the demo data', function () {
  this.timeout(120_000);
  let site: Site;
  let admin: TestConsole;
  before(async () => {
    site = await startSite({ BCRYPT_COST: '4' }, { demo: true });
    admin = await openTestConsole(site);
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  const LISTS = ['accounts', 'sessions', 'sign-ins', 'mails', 'tokens', 'audit', 'persons'];

  it('has entries on every list screen', async () => {
    const { page } = await admin.open('');
    await page.locator('canvas').first().waitFor();
    for (const screen of LISTS) {
      await page.goto(admin.url(`/${screen}`));
      await page.getByRole('row').nth(5).waitFor();
    }
  });

  for (const locale of ['en', 'de'] as const) {
    it(`shows whole rows of every list in a window of 1280 px: ${locale}`, async () => {
      const { page } = await admin.open('', { locale, width: 1280 });
      const tooWide: string[] = [];
      for (const screen of LISTS) {
        await page.goto(admin.url(`/${screen}`));
        await page.getByRole('row').nth(5).waitFor();
        const [content, region] = await page
          .getByRole('region')
          .filter({ has: page.getByRole('table') })
          .evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth] as const);
        if (content > region) tooWide.push(`${screen}: ${content} px in ${region} px`);
      }
      assert.deepEqual(tooWide, []);
    });
  }

  it('shows the faces that the demo provider draws, and leads from person to person', async () => {
    const { page } = await admin.open('/persons');
    await page.getByRole('button', { name: 'Review faces' }).click();
    const images = page.locator('li img');
    await images.first().waitFor();
    await eventually(
      async () => (await images.first().evaluate((image: HTMLImageElement) => image.naturalWidth)) > 0,
    );
    assert.equal(await page.getByRole('link', { name: /^Image/ }).count(), 0);
  });
});
