import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '@gatehouse/runtime/testing';
import { cast, expectNoViolations, logIn, PASSWORD, submit } from '../testing/index.ts';

describe('login page with an incomplete or throttled account', () => {
  const { site, admin } = cast({ SUPPORT_URL: 'https://help.example.com/', LOGIN_FAILURES_FREE: '2' });
  const focused = (page: Page) => page.locator('body :focus');

  it('shows what is wrong with a link to the next step, and starts again in the empty field', async () => {
    for (const [fields, heading, link] of [
      [{ IsDisabled: true }, 'Your account is disabled', 'Get help'],
      [{ ExpiresAt: '2020-01-01T00:00:00Z' }, 'Your account has expired', 'Get help'],
      [{ NewPasswordRequired: true }, 'Choose a new password', 'Continue'],
    ] as const) {
      const { id, email } = await admin.newUser();
      assert.equal((await admin.call('PATCH', `/admin/account/${id}`, fields)).status, 200);
      const page = await site.openAndLogIn(email);
      await page.getByRole('heading', { name: heading }).waitFor();
      assert.ok(await page.getByRole('link', { name: link }).first().isVisible());
      await page.getByRole('button', { name: 'Start sign-in again' }).click();
      await focused(page)
        .and(page.getByLabel('Password', { exact: true }))
        .waitFor();
      assert.equal(await page.getByLabel('Email address').inputValue(), email);
    }
  });

  it('begins in the first empty field or with what is to be read, and leaves somebody where they are', async () => {
    const page = await site.openPage();
    for (const [address, label] of [
      ['/login', 'Email address'],
      ['/register', 'Name'],
      ['/forgot-password', 'Email address'],
    ] as const) {
      await page.goto(address);
      await focused(page).and(page.getByLabel(label)).waitFor();
    }
    await page.goto('/login?reason=session_expired');
    await page.getByText('You were signed out because you were inactive').waitFor();
    assert.equal(await focused(page).count(), 0);

    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () =>
        document.querySelector<HTMLElement>('input[name=Password]')?.focus(),
      );
    });
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await focused(page)
      .and(page.getByLabel('Password', { exact: true }))
      .waitFor();
  });

  it('asks for the verification code if the email is not verified, and resends it', async () => {
    const email = site.someEmail();
    await site.post('/account/register', { Email: email, Password: PASSWORD });
    await site.mailedCode(email);
    const page = await site.openAndLogIn(email);
    await page.getByRole('link', { name: 'Enter the code' }).click();
    await page.getByRole('button', { name: 'Send another code' }).click();
    await page.getByText(`If ${email} is waiting for a code, another one is on its way.`).waitFor();
    await submit(page, { 'Code from the email': await site.mailedCode(email, 2) }, 'Confirm');
    await page.getByText('Your email address is confirmed').waitFor();
  });

  it('resends a pending invitation, also where a link of one no longer works', async () => {
    const { email } = await site.invited();
    const page = await site.openPage();
    const resend = async (count: number): Promise<void> => {
      await page.getByRole('button', { name: 'Send invitation again' }).click();
      await expectNoViolations(page.getByText(`If an invitation is waiting for ${email}`));
      await eventually(async () => (await site.mailsTo(email)).length === count, 20);
    };
    await logIn(page, email);
    await page.getByRole('heading', { name: 'Open your invitation' }).waitFor();
    await resend(2);
    await page.getByRole('button', { name: /^Another email in \d+ s$/ }).waitFor();

    await page.goto('/register-guest#InvitationToken=none');
    await page.getByText('This link does not work, or a newer one has replaced it.').waitFor();
    await page.getByLabel('Email address').fill(email);
    await resend(3);
  });

  it('counts down after too many failures, and keeps the input', async () => {
    const email = await site.newAccount();
    const page = await site.openAt('/login');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    const button = page.locator('button[type=submit]');
    // The wait doubles with each failure. A short wait could be over before the test sees it.
    for (let seconds = 0, tries = 0; seconds < 4; tries += 1) {
      assert.ok(tries < 10, 'no wait after ten failures');
      const [answer] = await Promise.all([page.waitForResponse('**/account/login'), button.click()]);
      seconds = Number(answer.headers()['retry-after'] ?? 0);
      if (seconds < 4) await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    }
    await page.getByText(/You can try again in \d+ s\./).waitFor();
    assert.match((await button.textContent()) ?? '', /^Wait \d+ s$/);
    assert.equal(await page.getByLabel('Password', { exact: true }).inputValue(), 'wrong password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });
});
