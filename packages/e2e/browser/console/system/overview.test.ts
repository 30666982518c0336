import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { cast, itInEveryLayout } from '../../testing/index.ts';

describe('the overview of the console', () => {
  const { site, admin } = cast();
  before(async function () {
    this.timeout(120_000);
    const email = await site.newAccount();
    await site.post('/account/login', { Username: email, Password: 'wrong' });
    const { Token } = await site.login(email);
    await site.post('/account/logout', {}, Token);
    // Counts are written every ten seconds.
    await eventually(async () => {
      const counts = JSON.stringify(await admin.get('/admin/statistics'));
      const kinds = ['login.password', 'refused.password', 'registration', 'session.logout', 'mail.sent'];
      return kinds.every((kind) => counts.includes(kind));
    }, 25);
  });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('', layout);
    await page.locator('canvas').first().waitFor();
    await check(page.locator('main table').last());
  });

  it('links from a number to its list, and from a chart to its table and the sessions of a bar, by keyboard', async () => {
    const { page, keyboard } = await admin.openByKeyboard();
    const logins = page.getByRole('figure', { name: 'Logins', exact: true });
    await logins.locator('canvas').waitFor();
    await keyboard.press(logins.locator('summary'));
    const newest = logins.getByRole('row').nth(1);
    await newest.waitFor();
    assert.ok(Number(await newest.getByRole('cell').first().textContent()) > 0);
    await keyboard.press(newest.getByRole('link').first());
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    assert.match(page.url(), /createdFrom=.*createdTo=/);
    await page.getByText(/^\d[\d,]* in all$/).waitFor();
    await page.getByRole('combobox', { name: 'Signed in from' }).waitFor();
    await page.goto(admin.url());
    await keyboard.press(page.getByRole('main').getByRole('link', { name: /^Accounts [\d,]+/ }));
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  });

  for (const [chart, list, address] of [
    ['Registrations', 'Accounts', /accounts\?createdFrom=.*createdTo=/],
    ['Sessions ended', 'Sessions', /sessions\?status=7&endedFrom=.*endedTo=.*endReason=logout$/],
    ['Refused logins', 'Sign-ins', /sign-ins\?result=Refused&from=.*to=.*reason=password$/],
    ['Mails', 'Mails', /mails\?status=Sent&finishedFrom=.*finishedTo=/],
  ] as const) {
    it(`leads from a click on a bar of "${chart}" to what it counts`, async () => {
      const { page } = await admin.open('');
      const bars = page.getByRole('figure', { name: chart, exact: true }).locator('.u-over');
      await bars.waitFor();
      await bars.scrollIntoViewIfNeeded();
      const { width, height } = (await bars.boundingBox()) ?? assert.fail();
      // The last of 24 bars, at the bottom of its lowest segment.
      await bars.click({ position: { x: (width * 23.5) / 24, y: height - 2 } });
      await page.waitForURL(address);
      await page.getByRole('heading', { name: list }).waitFor();
      await page.getByText(/^[1-9][\d,]* in all$/).waitFor();
    });
  }

  it('keeps the period in the URL', async () => {
    const { page } = await admin.open();
    const week = page.getByRole('button', { name: '7 days' });
    await week.click();
    await page.waitForURL(admin.url('?range=week'));
    const refused = page.getByRole('figure', { name: 'Refused logins' });
    await refused.locator('summary').click();
    await eventually(async () => (await refused.getByRole('row').count()) === 8);
    await page.goBack();
    await eventually(async () => (await week.getAttribute('aria-pressed')) === 'false');
  });
});

describe('the overview of a new installation', () => {
  const { admin } = cast({});

  it('ticks off the first steps, and leaves them out once all are done', async () => {
    const { page, admin: own } = await admin.open();
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.waitFor();
    await page.getByText(/^No data for this period: .*Refused logins/).waitFor();
    assert.equal(await page.getByRole('figure', { name: 'Refused logins' }).count(), 0);
    const isDone = (step: string): Promise<boolean> =>
      steps.getByRole('listitem').filter({ hasText: step }).getByText('(done)').isVisible();
    assert.equal(await isDone('Register an application'), false);
    const mailed = await admin.call('POST', '/admin/mail/test', { Email: own.email });
    assert.equal(mailed.status, 202);
    await eventually(async () => {
      await page.reload();
      await steps.waitFor();
      return isDone('Send a test mail');
    }, 25);
    const ExpiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await admin.create('/admin/api-token', { Name: 'Billing', Role: 'Service', ExpiresAt });
    // Totals are up to 15 seconds old.
    await eventually(async () => Number((await admin.get('/admin/statistics/now'))['Accounts']) > 2, 25);
    await page.reload();
    await page.getByText('Active sessions').waitFor();
    await page.getByText(/^No data for this period/).waitFor();
    assert.equal(await steps.count(), 0);
  });
});
