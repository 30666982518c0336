import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PASSWORD } from '../../src/testing/index.ts';
import { mailedLink, startSite, type OwnSite } from '../testing/index.ts';

describe('content at an address of its own', function () {
  this.timeout(120_000);
  let app: Server;
  let origin: string;
  let site: OwnSite;
  before(async () => {
    app = createServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<link rel="icon" href="data:,"><title>Content</title><h1>The concert</h1>');
    });
    await once(app.listen(0, '127.0.0.1'), 'listening');
    // `listen` on a port returns an address with one.
    origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    site = await startSite({ CONTENT_URL: `${origin}/watch/{ContentDefinitionId}` });
  });
  afterEach(() => site.closePages());
  after(async () => {
    await site.stop();
    app.close();
  });

  it('opens when a guest accepts the invitation to it, and from the profile', async () => {
    const { user, contentDefinitionId } = site.stack.facts.seed;
    const { Token } = await site.login(user.Email, user.Password);
    const email = site.someEmail();
    const invitation = { Emails: [email], ContentDefinitionId: contentDefinitionId };
    await site.post('/account/invite-user', invitation, Token);
    const page = await site.openPage({ width: 320, origins: [origin] });
    await page.goto(await mailedLink(site, email, '/register-guest'));
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.waitForURL(`${origin}/watch/${contentDefinitionId}`);
    await page.getByRole('heading', { name: 'The concert' }).waitFor();
    await page.goto('/profile');
    await page.getByRole('region', { name: 'Shared with you' }).getByRole('link').click();
    await page.waitForURL(`${origin}/watch/${contentDefinitionId}`);
  });
});
