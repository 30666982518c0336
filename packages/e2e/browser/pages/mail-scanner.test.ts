import assert from 'node:assert/strict';
import { PASSWORD } from '../../src/testing/index.ts';
import { cast, mailedLink } from '../testing/index.ts';

const TIMES = 50;

/** Mail servers and other programs open the links in mails before people do, some of them with a browser. */
describe('mail scanners that open links', () => {
  const { site, admin } = cast();

  const scan = async (link: string): Promise<void> => {
    for (let time = 0; time < TIMES; time++) await (await fetch(link)).text();
    const page = await site.openPage({ isHostile: true });
    await page.goto(new URL(link, site.origin).href, { waitUntil: 'networkidle' });
    const addresses = await page
      .locator('a')
      .evaluateAll((links) =>
        links.flatMap((anchor) => (anchor instanceof HTMLAnchorElement ? anchor.href : [])),
      );
    for (const address of addresses.filter((one) => one.startsWith(site.origin))) await page.goto(address);
  };
  /** Opens the mailed link like a scanner. Returns the parameters of its fragment. */
  const scanned = async (email: string, path: string): Promise<Record<string, string>> => {
    const link = await mailedLink(site, email, path);
    await scan(link);
    return Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)));
  };

  it('do not use up a verification code', async () => {
    const Email = site.someEmail();
    await site.post('/account/register', { Email, Password: PASSWORD });
    const fields = await scanned(Email, '/verify-email');
    assert.deepEqual(Object.keys(fields), ['Email', 'Code']);
    assert.equal((await site.post('/account/verify', fields)).status, 200);
  });

  it('do not use up a password reset code', async () => {
    const Email = await site.newAccount();
    await site.post('/account/forgot-password', { Email });
    const reset = { ...(await scanned(Email, '/reset-password')), Password: 'a wholly new one' };
    assert.equal((await site.post('/account/reset-password', reset)).status, 200);
  });

  it('do not use up an email change code', async () => {
    const [email, Email] = [await site.newAccount(), site.someEmail()];
    const { Token } = await site.login(email);
    await site.post('/account/change-email', { Email, Password: PASSWORD }, Token);
    const fields = await scanned(Email, '/confirm-email');
    assert.equal((await site.post('/account/confirm-email', fields, Token)).status, 200);
  });

  it('do not take back a change of email', async () => {
    const [email, Email] = [await site.newAccount(), site.someEmail()];
    const { Token } = await site.login(email);
    await site.post('/account/change-email', { Email, Password: PASSWORD }, Token);
    await site.post('/account/confirm-email', { Code: await site.mailedCode(Email) }, Token);
    const fields = await scanned(email, '/take-back-email');
    assert.equal(await site.pingStatus(Token), 1);
    assert.equal((await site.post('/account/take-back-email', fields)).status, 200);
  });

  it('neither end a session by the links of notices, nor sign anybody in', async () => {
    const email = await site.newAccount();
    const { Token } = await site.login(email);
    const body = { CurrentPassword: PASSWORD, Password: 'a wholly new one' };
    assert.equal((await site.post('/account/change-password', body, Token)).status, 200);
    assert.deepEqual(await scanned(email, '/forgot-password'), {});
    assert.equal(await site.pingStatus(Token), 1);
    await site.login(email, 'a wholly new one');
    const resets = (await site.mailsTo(email)).filter(({ text }) => text.includes('/reset-password'));
    assert.deepEqual(resets, []);
  });

  it('do not cancel an erasure', async () => {
    const Email = await site.newAccount();
    const { Token } = await site.login(Email);
    await site.post('/account/erase', { Password: PASSWORD }, Token);
    const Code = await site.mailedCode(Email, 2);
    assert.equal((await site.post('/account/erase', { Code }, Token)).status, 202);
    const fields = await scanned(Email, '/restore-account');
    assert.deepEqual(Object.keys(fields), ['Code', 'Address', 'ErasesAt']);
    assert.equal((await site.post('/account/restore', fields)).status, 200);
    await site.login(Email);
  });

  it('do not set up an account', async () => {
    const Email = site.someEmail();
    assert.equal((await admin.call('POST', '/admin/account', { Email, Invite: true })).status, 201);
    const fields = await scanned(Email, '/complete-account');
    const chosen = { ...fields, Password: PASSWORD };
    assert.equal((await site.post('/account/reset-password', chosen)).status, 200);
    await site.login(Email);
  });

  it('do not accept an invitation', async () => {
    const { email } = await site.invited();
    const fields = await scanned(email, '/register-guest');
    const guest = { ...fields, Password: PASSWORD, DisplayName: 'Gus' };
    assert.equal((await site.post('/account/register-guest', guest)).status, 200);
  });
});
