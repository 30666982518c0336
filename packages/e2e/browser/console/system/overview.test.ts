import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD } from '../../../src/testing/index.ts';
import {
  cast,
  itInEveryLayout,
  openTestConsole,
  startSite,
  type Site,
  type TestConsole,
} from '../../testing/index.ts';

describe('the overview of the console', function () {
  this.timeout(120_000);
  let site: Site;
  let admin: TestConsole;
  before(async () => {
    site = await startSite();
    admin = await openTestConsole(site);
    await site.post('/account/login', { Username: await site.newAccount(), Password: 'wrong' });
    const address = site.someEmail();
    await site.post('/account/register', { Email: address, Password: PASSWORD });
    const { page } = await admin.open('');
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    await site.closePages();
    // Counts are written every ten seconds.
    await eventually(async () => {
      const counts = JSON.stringify((await admin.call('GET', '/admin/statistics')).body);
      const kinds = ['login.password', 'refused.password', 'registration', 'session.logout', 'mail.sent'];
      return kinds.every((kind) => counts.includes(kind));
    }, 25);
  });
  /** The email of a user with a session. */
  const signedIn = async (): Promise<string> => {
    const email = await site.newAccount();
    await site.login(email);
    return email;
  };
  afterEach(() => site.closePages());
  after(() => site.stop());

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('', layout);
    await page.locator('canvas').first().waitFor();
    await page.locator('main table').last().waitFor();
    await check(page);
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
    await keyboard.expectNoPointer();
  });

  for (const { chart, list, address } of [
    { chart: 'Registrations', list: 'Accounts', address: /accounts\?createdFrom=.*createdTo=/ },
    {
      chart: 'Sessions ended',
      list: 'Sessions',
      address: /sessions\?status=7&endedFrom=.*endedTo=.*endReason=logout$/,
    },
    {
      chart: 'Refused logins',
      list: 'Sign-ins',
      address: /sign-ins\?result=Refused&from=.*to=.*reason=password$/,
    },
    { chart: 'Mails', list: 'Mails', address: /mails\?status=Sent&finishedFrom=.*finishedTo=/ },
  ]) {
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

  it('leads to sessions that ended for the same reason, and to no others of their status', async () => {
    const { body } = await admin.call('GET', `/admin/user-session?search=${await signedIn()}`);
    const [ended] = body['Items'] as { Id: string; Email: string }[]; // public-openapi.json
    await admin.call('POST', '/admin/user-session', { SessionId: ended?.Id, Status: 7 });
    await eventually(async () => {
      const counts = JSON.stringify((await admin.call('GET', '/admin/statistics')).body);
      return counts.includes('session.administrator');
    }, 25);
    const { page } = await admin.open();
    const chart = page.getByRole('figure', { name: 'Sessions ended', exact: true });
    const follow = async (column: number, reason: string): Promise<void> => {
      await page.goto(admin.url());
      await chart.getByText('Show as a table').click();
      await chart.getByRole('row').nth(1).getByRole('cell').nth(column).getByRole('link').click();
      // Other tests on this system end sessions for other reasons of the same bar.
      await page.waitForURL(({ searchParams }) =>
        (searchParams.get('endReason') ?? '').split(',').includes(reason),
      );
      await page.getByText(/^[1-9][\d,]* in all$/).waitFor();
    };
    const row = page.getByRole('row').filter({ hasText: ended?.Email ?? '' });
    await follow(0, 'logout');
    assert.equal(await row.count(), 0);
    await page.getByRole('combobox', { name: 'End reason' }).waitFor();
    await follow(3, 'administrator');
    await row.getByText('Expired').waitFor();
  });

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

  it('shows which parts failed to load, and the rest as usual', async () => {
    const { page } = await admin.open('/accounts');
    await page.route('**/admin/statistics?*', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', title: 'Away', traceId: 'a'.repeat(32) } }),
    );
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('alert').getByText('cannot answer right now').waitFor();
    await page.getByText('Active sessions').waitFor();
    await page.unroute('**/admin/statistics?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('figure').first().waitFor();
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
    const token = {
      Name: 'Billing',
      Role: 'Service',
      ExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    };
    assert.equal((await admin.call('POST', '/admin/api-token', token)).status, 201);
    // Totals are up to 15 seconds old.
    await eventually(async () => {
      const { body } = await admin.call('GET', '/admin/statistics/now');
      return Number(body['Accounts']) > 2;
    }, 25);
    await page.reload();
    await page.getByText('Active sessions').waitFor();
    await page.getByText(/^No data for this period/).waitFor();
    assert.equal(await steps.count(), 0);
  });
});
