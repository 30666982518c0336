import { addAuthenticator, expectNoViolations, signIn, startSite, type Site } from './testing/index.ts';

describe('a passkey, from its making to its end', function () {
  this.timeout(120_000);
  let site: Site;
  before(async () => {
    site = await startSite();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  it('is added, signs in without typing, is renamed and deleted', async () => {
    const email = await site.newAccount();
    const page = await site.openPage();
    await addAuthenticator(page);
    await signIn(page, email);
    await page.goto('/profile/security');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Rename' }).waitFor();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name of the passkey').fill('Kitchen');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Kitchen').waitFor();
    await page.context().clearCookies();
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/profile');
    await page.goto('/profile/security');
    await page.getByText('last used').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Kitchen').waitFor({ state: 'detached' });
  });
});
