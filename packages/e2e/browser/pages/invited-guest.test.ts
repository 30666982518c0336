import assert from 'node:assert/strict';
import { PASSWORD } from '../../src/testing/index.ts';
import { cast, expectNoViolations, fillLogin, itInEveryLayout, rowOf, submit } from '../testing/index.ts';

describe('an invited guest', () => {
  const { site, admin } = cast();
  let contentId: string;
  before(async () => (contentId = await admin.newContent('Sommerkonzert', { Kind: 'Recording' })));

  const invite = async (email = site.someEmail()) => {
    const path = `/admin/content-definition/${contentId}/invite`;
    assert.equal((await admin.call('POST', path, { Emails: [email] })).status, 200);
    return { email, link: await site.mailedLink(email, '/register-guest') };
  };

  it('gets from the mail to the content with two clicks and a password, in German on a phone', async () => {
    const { email, link } = await invite();
    const page = await site.openAt(link, { width: 320, locale: 'de' });
    await page.getByText(/lädt Sie zu „Sommerkonzert“ ein/).waitFor();
    await expectNoViolations(page.getByText(`Sie nehmen als ${email} teil.`));
    assert.equal(page.url(), `${site.origin}/register-guest`);
    await submit(page, { Name: 'Guest', Passwort: PASSWORD }, 'Einladung annehmen');
    await page.waitForURL('**/profile');
    await rowOf(page, 'Name').getByText('Guest').waitFor();
    await page.getByRole('heading', { name: 'Mit Ihnen geteilt' }).waitFor();
    await page.getByText('Sommerkonzert').waitFor();
    await expectNoViolations(page.getByText('Aufzeichnung'));
    const { Token } = await site.login(email);
    const { body } = await site.call('GET', '/account/profile', undefined, Token);
    assert.equal(body['Locale'], 'de');
  });

  it('is told that a link was used already, and signs in with the email filled in', async () => {
    const { email, link } = await invite();
    const { InvitationToken } = Object.fromEntries(new URLSearchParams(new URL(link).hash.slice(1)));
    const guest = { InvitationToken, Password: PASSWORD };
    assert.equal((await site.post('/account/register-guest', guest)).status, 200);
    const page = await site.openAt(link);
    await expectNoViolations(page.getByRole('heading', { name: 'You have accepted this already' }));
    await page.getByRole('link', { name: 'Sign in' }).click();
    assert.equal(await page.getByLabel('Email address').inputValue(), email);
    await fillLogin(page, email);
    await page.getByRole('heading', { name: 'Shared with you' }).waitFor();
  });

  it('is told that an invitation was withdrawn, also while the page is open', async () => {
    const { email, link } = await invite();
    const page = await site.openAt(link);
    await page.getByText('Sommerkonzert').waitFor();
    const path = `/admin/content-definition/${contentId}/remove`;
    assert.equal((await admin.call('POST', path, { Emails: [email] })).status, 200);
    await submit(page, { Password: PASSWORD }, 'Accept invitation');
    await page.getByRole('heading', { name: 'This invitation was withdrawn' }).waitFor();
    assert.equal(await page.getByText('Sommerkonzert').count(), 0);
    await expectNoViolations(page);
  });

  itInEveryLayout('sees the invitation', async (layout, check) => {
    const { link } = await invite();
    const page = await site.openAt(link, layout);
    await check(page.getByText('Sommerkonzert'));
    await page.locator('button[type=submit]').click();
    await check(page.locator('[aria-invalid=true]:focus'));
  });
});
