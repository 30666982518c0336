import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { cast, fillLogin } from '../../testing/index.ts';

describe('the console over the demo data', () => {
  const { site, admin } = cast({ BCRYPT_COST: '4' }, { demo: true });

  const LISTS = [
    'accounts',
    'sessions',
    'sign-ins',
    'mails',
    'tokens',
    'audit',
    'persons',
    'webhooks/deliveries',
  ];

  for (const locale of ['en', 'de'] as const) {
    it(`has entries on every list, and shows whole rows in a window of 1280 px: ${locale}`, async () => {
      const { page } = await admin.open('', { locale, width: 1280 });
      await page.locator('canvas').first().waitFor();
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

  it('lists the demo application, at which one signs in, and which notices the end of the session', async () => {
    const { appUrl = '' } = site.stack.facts;
    const page = await site.openAt(appUrl);
    await page.getByRole('button', { name: 'Sign in with Gatehouse' }).click();
    const email = await site.newAccount();
    await fillLogin(page, email);
    await page.getByRole('button', { name: 'Allow', disabled: false }).click();
    await page.getByText(`You are signed in as ${email}`).waitFor();
    await page.getByRole('button', { name: 'Refresh the tokens' }).click();
    await page.getByText(`You are signed in as ${email}`).waitFor();
    const { sid } = JSON.parse((await page.locator('pre').first().textContent()) ?? '') as { sid: string };
    await admin.call('POST', '/admin/user-session', { SessionId: sid, Status: 4 });
    await page.reload();
    await page.getByText('Your session has ended.').waitFor();
    await page.getByRole('button', { name: 'Sign in with Gatehouse' }).click();
    await fillLogin(page, email);
    // It is a public client at a loopback address, so its users are asked each time.
    await page.getByRole('button', { name: 'Allow', disabled: false }).click();
    await page.getByText(`You are signed in as ${email}`).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with Gatehouse' }).waitFor();
    await page.goto(`${site.origin}/profile`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

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
