import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { eventually } from '@gatehouse/runtime/testing';
import { cast, itInEveryLayout, otherSite } from '../../testing/index.ts';

interface Received {
  path: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}

describe('webhooks that are off', () => {
  const { admin } = cast();

  it('are said to be off, with the settings that turn them on, and cannot be created', async () => {
    const { page } = await admin.open('/webhooks');
    await page.getByText(/Webhooks are off: .* WEBHOOKS=on/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create webhook' }).count(), 0);
  });
});

describe('webhooks in the console', () => {
  const { site, admin } = cast({ WEBHOOKS: 'on', WEBHOOK_NETWORKS: '127.0.0.1' });
  const received: Received[] = [];
  const receiver = otherSite((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url, headers: request.headers, body });
      response.writeHead(request.url === '/broken' ? 500 : 204).end();
    });
  });

  const newWebhook = async (path = ''): Promise<{ Id: string; Name: string }> => {
    const wanted = { Name: site.someEmail(), Url: `${receiver.origin}${path}`, Types: ['guest.*'] };
    const { status, body } = await admin.call('POST', '/admin/webhook', wanted);
    assert.equal(status, 201);
    return { Id: String(body['Id']), Name: wanted.Name };
  };
  const deliveryTo = async (webhookId: string): Promise<Record<string, unknown>> =>
    eventually(async () => {
      const { body } = await admin.call('GET', `/admin/hook-delivery?webhookId=${webhookId}`);
      const [one] = body['Items'] as Record<string, unknown>[];
      return one?.['Status'] !== 'Pending' && one;
    });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { Id, Name } = await newWebhook('/broken');
    await admin.call('POST', `/admin/webhook/${Id}/test`);
    const { Id: deliveryId } = await deliveryTo(Id);
    const { page } = await admin.open('/webhooks', layout);
    await page.getByText(Name).waitFor();
    await check(page);
    await page.getByRole('button', { name: /^(Create webhook|Webhook erstellen)/ }).click();
    await page.getByRole('dialog').locator('summary').first().click();
    await check(page);
    await page.goto(admin.url(`/webhooks/${Id}`));
    await page.getByText('webhook.test-requested').waitFor();
    await check(page);
    await page.goto(admin.url(`/webhooks/deliveries/${String(deliveryId)}`));
    await page.getByText(/\n {2}"specversion"/).waitFor();
    await check(page);
  });

  it('are created with a secret that is shown once and signs a test event, using the keyboard only', async () => {
    const { page, keyboard } = await admin.openByKeyboard('/webhooks');
    await keyboard.press(page.getByRole('button', { name: 'Create webhook' }));
    const dialog = page.getByRole('dialog');
    const name = site.someEmail();
    await keyboard.type(dialog.getByLabel('Name'), name);
    await keyboard.type(dialog.getByLabel('URL'), `${receiver.origin}/billing`);
    await keyboard.press(dialog.getByRole('button', { name: 'Create webhook' }));
    const secret = (await dialog.getByRole('region', { name: 'Secret' }).textContent()) ?? '';
    assert.match(secret, /^whsec_/);
    await keyboard.to(dialog.getByLabel('I have stored it'));
    await page.keyboard.press('Space');
    await keyboard.press(dialog.getByRole('button', { name: 'Done' }));
    await page.getByRole('heading', { name }).waitFor();
    received.length = 0;
    await keyboard.press(page.getByRole('button', { name: 'Send a test event' }));
    await dialog.getByText('Your receiver has taken the test event.').waitFor();
    await dialog.getByText('204 after').waitFor();
    await keyboard.press(dialog.getByRole('button', { name: 'Close' }).last());
    // Failed deliveries of other tests are repeated.
    const { headers, body } = await eventually(() => received.find(({ path }) => path === '/billing'));
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${signature}`);
    await page.getByText('204 after').waitFor();
  });

  it('say which input is wrong', async () => {
    const { page } = await admin.open('/webhooks');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Inside');
    await dialog.getByLabel('URL').fill('https://10.0.0.1/hook');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText('Must be on the Internet, or allowed by WEBHOOK_NETWORKS').waitFor();
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Inside');
  });

  it('are edited, disabled, enabled, given another secret and deleted', async () => {
    const { Id, Name } = await newWebhook();
    const { page } = await admin.open(`/webhooks/${Id}`);
    const choose = async (action: string): Promise<void> => {
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('button', { name: action }).click();
    };
    const dialog = page.getByRole('dialog');
    const chooseAndConfirm = async (action: string): Promise<void> => {
      await choose(action);
      await dialog.getByRole('button', { name: action }).click();
    };
    await choose('Edit');
    await dialog.getByText('guest 4 of 4').click();
    await dialog.getByLabel('All of guest').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Fill in this field').waitFor();
    await dialog.getByText('session 0 of 4').click();
    await dialog.getByLabel('session.ended').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('session.ended').waitFor();
    await chooseAndConfirm('Disable');
    const disabled = page.locator('main > header').getByText('Disabled', { exact: true });
    await disabled.waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await disabled.waitFor({ state: 'detached' });
    await chooseAndConfirm('Disable');
    await disabled.waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send a test event' }).count(), 0);
    await chooseAndConfirm('Enable');
    await page.locator('main > header').getByText('Enabled').waitFor();
    await chooseAndConfirm('Replace secret');
    await dialog.getByLabel('I have stored it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Signed with the former secret until').waitFor();
    await choose('Delete');
    await dialog.getByLabel(/^Type/).fill(Name);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(admin.url('/webhooks'));
    assert.equal((await admin.call('GET', `/admin/webhook/${Id}`)).status, 404);
  });

  it('have parked deliveries, which are sent again alone or together', async () => {
    const { Id, Name } = await newWebhook('/broken');
    await admin.call('POST', `/admin/webhook/${Id}/test`);
    await deliveryTo(Id);
    // A disabled webhook parks what waits.
    await admin.call('PATCH', `/admin/webhook/${Id}`, { IsEnabled: false });
    await admin.call('PATCH', `/admin/webhook/${Id}`, { IsEnabled: true, Url: receiver.origin });
    const { page } = await admin.open('/webhooks/deliveries?status=Parked');
    await page.getByText('1 in all').waitFor();
    await page.getByRole('button', { name: 'Retry parked deliveries' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Webhook').selectOption(Name);
    await dialog.getByRole('button', { name: 'Show how many' }).click();
    await dialog.getByRole('button', { name: 'Send again (1)' }).click();
    await page.getByText('Deliveries sent again: 1').waitFor();
    const sent = await eventually(async () => {
      const delivery = await deliveryTo(Id);
      return delivery['Status'] === 'Sent' && delivery;
    });
    await page.goto(admin.url(`/webhooks/deliveries/${String(sent['Id'])}`));
    await page.locator('main > header').getByText('Sent').waitFor();
  });
});
