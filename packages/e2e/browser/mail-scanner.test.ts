import assert from 'node:assert/strict';
import { PASSWORD } from '../src/testing/index.ts';
import { mailedLink, startSite, type Site } from './testing/index.ts';

const TIMES = 50;

/** Mail servers and programs open the links of mails before people do, some of them with a browser. */
describe('whoever opens links and clicks nothing', function () {
  this.timeout(120_000);
  let site: Site;
  before(async () => {
    site = await startSite();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

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
  const at = (path: string, fragment: Record<string, string>): string =>
    `${site.origin}${path}#${new URLSearchParams(fragment).toString()}`;

  it('uses no verification code up', async () => {
    const Email = site.someEmail();
    await site.post('/account/register', { Email, Password: PASSWORD });
    const Code = await site.mailedCode(Email);
    await scan(at('/verify-email', { Email, Code }));
    assert.equal((await site.post('/account/verify', { Email, Code })).status, 200);
  });

  it('uses no code for a new password up', async () => {
    const Email = await site.newAccount();
    await site.post('/account/forgot-password', { Email });
    const Code = await site.mailedCode(Email, 2);
    await scan(at('/reset-password', { Email, Code }));
    const reset = { Email, Code, Password: 'a wholly new one' };
    assert.equal((await site.post('/account/reset-password', reset)).status, 200);
  });

  it('uses no code for a new email address up', async () => {
    const [email, Email] = [await site.newAccount(), site.someEmail()];
    const { Token } = await site.login(email);
    await site.post('/account/change-email', { Email, Password: PASSWORD }, Token);
    const Code = await site.mailedCode(Email);
    await scan(at('/confirm-email', { Code }));
    assert.equal((await site.post('/account/confirm-email', { Code }, Token)).status, 200);
  });

  it('accepts no invitation', async () => {
    const { user, contentDefinitionId } = site.stack.facts.seed;
    const { Token } = await site.login(user.Email, user.Password);
    const email = site.someEmail();
    const invitation = { Emails: [email], ContentDefinitionId: contentDefinitionId };
    await site.post('/account/invite-user', invitation, Token);
    const link = await mailedLink(site, email, '/register-guest');
    await scan(link);
    const InvitationToken = new URLSearchParams(new URL(link).hash.slice(1)).get('InvitationToken');
    const answer = await site.post('/account/register-guest', {
      InvitationToken,
      Password: PASSWORD,
      DisplayName: 'Gus',
    });
    assert.equal(answer.status, 200);
  });
});
