import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { cast, chooseAction, itInEveryLayout, otherSite, submit } from '../../testing/index.ts';

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
  const receiver = otherSite(({ url }, response) => {
    response.writeHead(url === '/broken' ? 500 : 204).end();
  });

  const newWebhook = async (path = ''): Promise<{ Id: string; Name: string }> => {
    const wanted = { Name: site.someEmail(), Url: `${receiver.url}${path}`, Types: ['guest.*'] };
    const { id } = await admin.create('/admin/webhook', wanted);
    return { Id: id, Name: wanted.Name };
  };
  const deliveryTo = (webhookId: string) =>
    eventually(async () => {
      const [one] = await admin.items<{ Id: string; Status: string }>(
        `/admin/hook-delivery?webhookId=${webhookId}`,
      );
      return one?.Status !== 'Pending' && one;
    });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { Id, Name } = await newWebhook('/broken');
    await admin.call('POST', `/admin/webhook/${Id}/test`);
    const { Id: deliveryId } = await deliveryTo(Id);
    const { page } = await admin.open('/webhooks', layout);
    await check(page.getByText(Name));
    await page.getByRole('button', { name: /^(Create webhook|Webhook erstellen)/ }).click();
    await page.getByRole('dialog').locator('summary').first().click();
    await check(page);
    await page.goto(admin.url(`/webhooks/${Id}`));
    await check(page.getByText('webhook.test-requested'));
    await page.goto(admin.url(`/webhooks/deliveries/${deliveryId}`));
    await check(page.getByText(/\n {2}"specversion"/));
  });

  it('are created with a secret that is shown once, and tested, using the keyboard only', async () => {
    const { page, dialog, keyboard } = await admin.openByKeyboard('/webhooks');
    await keyboard.press(page.getByRole('button', { name: 'Create webhook' }));
    const name = site.someEmail();
    await keyboard.type(dialog.getByLabel('Name'), name);
    await keyboard.type(dialog.getByLabel('URL'), `${receiver.url}/billing`);
    await keyboard.press(dialog.getByRole('button', { name: 'Create webhook' }));
    const secret = (await dialog.getByRole('region', { name: 'Secret' }).textContent()) ?? '';
    assert.match(secret, /^whsec_[\w+/]{43}=$/);
    await keyboard.press(dialog.getByLabel('I have stored it'), 'Space');
    await keyboard.press(dialog.getByRole('button', { name: 'Done' }));
    await page.getByRole('heading', { name }).waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Send a test event' }));
    await dialog.getByText('Your receiver has taken the test event.').waitFor();
    await dialog.getByText('204 after').waitFor();
    await keyboard.press(dialog.getByRole('button', { name: 'Close' }).last());
    await page.getByText('204 after').waitFor();
  });

  it('are edited, disabled, enabled, given another secret and deleted', async () => {
    const { Id, Name } = await newWebhook();
    const { page, dialog } = await admin.open(`/webhooks/${Id}`);
    const chooseAndConfirm = async (action: string): Promise<void> => {
      await chooseAction(page, action);
      await dialog.getByRole('button', { name: action }).click();
    };
    await chooseAction(page, 'Edit');
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
    await chooseAction(page, 'Delete');
    await submit(dialog, { [`Type ${Name} to continue`]: Name }, 'Delete');
    await page.waitForURL(admin.url('/webhooks'));
    assert.equal((await admin.call('GET', `/admin/webhook/${Id}`)).status, 404);
  });

  it('have parked deliveries, which are sent again alone or together', async () => {
    const { Id, Name } = await newWebhook('/broken');
    await admin.call('POST', `/admin/webhook/${Id}/test`);
    await deliveryTo(Id);
    // A disabled webhook parks what waits.
    await admin.call('PATCH', `/admin/webhook/${Id}`, { IsEnabled: false });
    await admin.call('PATCH', `/admin/webhook/${Id}`, { IsEnabled: true, Url: receiver.url });
    const { page, dialog } = await admin.open('/webhooks/deliveries?status=Parked');
    await page.getByText('1 in all').waitFor();
    await page.getByRole('button', { name: 'Retry parked deliveries' }).click();
    await dialog.getByLabel('Webhook').selectOption(Name);
    await dialog.getByRole('button', { name: 'Show how many' }).click();
    await dialog.getByRole('button', { name: 'Send again (1)' }).click();
    await page.getByText('Deliveries sent again: 1').waitFor();
    const sent = await eventually(async () => {
      const delivery = await deliveryTo(Id);
      return delivery.Status === 'Sent' && delivery;
    });
    await page.goto(admin.url(`/webhooks/deliveries/${sent.Id}`));
    await page.locator('main > header').getByText('Sent').waitFor();
  });
});
