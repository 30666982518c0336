import assert from 'node:assert/strict';
import {
  expectNoSidewaysScroll,
  expectNoViolations,
  LOOKS,
  startSite,
  tabOnly,
  type Site,
} from './testing/index.ts';

describe('the reference page of the API', function () {
  this.timeout(120_000);
  let site: Site;
  before(async () => {
    site = await startSite();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  it('can be read by everybody, in both themes, however narrow the window', async () => {
    for (const look of LOOKS.filter(({ locale, width }) => locale === 'en' && width !== 768)) {
      const page = await site.openPage(look);
      const answer = await page.goto('/docs');
      assert.equal(answer?.status(), 200);
      await expectNoViolations(page);
      await expectNoSidewaysScroll(page);
      await site.closePages();
    }
  });

  it('leads to each call by keys alone', async () => {
    const page = await site.openPage();
    const keyboard = await tabOnly(page);
    await page.goto('/docs');
    await keyboard.press(page.getByRole('link', { name: /POST \/account\/login/ }));
    await page.waitForURL(/#./);
    await keyboard.expectNoPointer();
  });
});
