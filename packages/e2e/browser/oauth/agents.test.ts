import assert from 'node:assert/strict';
import { cast, itInEveryLayout } from '../testing/index.ts';
import { appOf } from './testing-app.ts';

const HOST = 'agent.example.com';

describe('signing in to an app that nobody has registered', () => {
  const { site } = cast({ WEBHOOKS: 'on', AGENT_HOSTS: HOST });
  const app = appOf(site);
  let count = 0;

  /** The `client_id` of an app whose document was fetched just now. */
  const newAgent = async (): Promise<string> => {
    const url = `https://${HOST}/clients/${(count += 1)}`;
    const document = { client_id: url, client_name: 'Your bank', redirect_uris: [app.callback] };
    const insert = `insert into client_document (url, taken_at, answered_at, expires_at, body)
       values (:url, now(), now(), now() + interval '1 hour', :body)`;
    await site.sql(insert, { url, body: JSON.stringify(document) });
    return url;
  };

  itInEveryLayout('asks about its host, not about the name that it gives itself', async (layout, check) => {
    const { page } = await site.signedIn(layout);
    await page.goto(app.newRequest(await newAgent()).path);
    await page.getByRole('heading', { name: HOST }).waitFor();
    assert.equal(await page.locator('strong').textContent(), HOST);
    await page.getByText(/“Your bank”|„Your bank“/).waitFor();
    await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' });
    await check(page);
  });
});
