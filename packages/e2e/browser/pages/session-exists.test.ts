import assert from 'node:assert/strict';
import { cast, fillLogin, itInEveryLayout, PASSWORD } from '../testing/index.ts';

describe('signing in while another session is in the way', () => {
  const { site, admin } = cast({ SESSION_SLOTS: 'web:1,mobile:1', SESSION_LIMIT: 'refuse' });

  const signedIn = async (email: string, DeviceName: string): Promise<string> => {
    const login = { Username: email, Password: PASSWORD, DeviceName };
    const { status, body } = await site.post('/account/login', login);
    assert.equal(status, 200);
    return body['Token'] as string; // public-openapi.json
  };
  const statusOf = async (token: string) =>
    (await site.call('GET', '/account/profile', undefined, token)).status;

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const email = await site.newAccount();
    await signedIn(email, 'iPad');
    const page = await site.openAndLogIn(email, '/login', layout);
    await check(page.getByRole('heading', { name: /signed in elsewhere|anderswo angemeldet/ }));
  });

  it('asks, and ends that session only if the user agrees', async () => {
    const email = await site.newAccount();
    const token = await signedIn(email, 'Ann’s laptop');
    const page = await site.openAndLogIn(email);
    await page
      .getByText('You are signed in on Ann’s laptop, seen just now. Sign in here and end that session?')
      .waitFor();
    assert.equal(await statusOf(token), 200);
    await page.getByRole('button', { name: 'Start sign-in again' }).click();
    assert.equal(await statusOf(token), 200);
    await fillLogin(page, email);
    await page.getByRole('button', { name: 'Sign in here' }).click();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    assert.equal(await statusOf(token), 401);
  });

  it('asks at a login by password after a sign-on that failed', async () => {
    const email = await site.newAccount();
    await signedIn(email, 'Ann’s laptop');
    const page = await site.openAt('/login');
    await page.evaluate(() => {
      sessionStorage.setItem('gatehouse-sign-on', JSON.stringify({ state: 'begun', kept: {} }));
      location.assign('/login?again#HandoverCode=used&State=begun');
    });
    await page.getByText('took too long, was used already').waitFor();
    await fillLogin(page, email);
    await page.getByRole('button', { name: 'Sign in here' }).click();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
  });

  it('asks in the console, which also shows the kind of device', async () => {
    const { email } = await admin.newAdmin();
    const token = await signedIn(email, 'Ann’s laptop');
    const page = await site.openAndLogIn(email, admin.url('/sessions?tag=web'));
    await page.getByText('You are signed in on Ann’s laptop').waitFor();
    await page.getByRole('button', { name: 'Sign in here' }).click();
    // The table leaves it out where there is little room.
    await page.setViewportSize({ width: 1600, height: 800 });
    await page.getByRole('columnheader', { name: 'Kind of device' }).waitFor();
    await page.getByRole('cell', { name: 'web', exact: true }).first().waitFor();
    assert.equal(await statusOf(token), 401);
  });
});
