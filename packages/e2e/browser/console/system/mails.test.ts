import assert from 'node:assert/strict';
import { newEvent } from '@gatehouse/events';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast, itInEveryLayout, submit } from '../../testing/index.ts';

describe('the mails in the console', () => {
  const { site, admin } = cast();
  let parkedId: string;
  before(async () => (parkedId = await parkMail()));

  /** Creates a mail that the mail worker parks every time, because it cannot open its content. Returns its id. */
  const parkMail = async (): Promise<string> => {
    const { contentDefinitionId: ContentDefinitionId } = site.stack.facts.seed;
    const about = { UserId: newId(), InvitationId: newId(), ContentDefinitionId, Mail: 'AQAAAA' };
    const event = { ...newEvent('guest.invited', about), traceid: newId().replaceAll('-', '') };
    const insert = 'insert into outbox (id, type, event) values (:id, :type, :event)';
    await site.sql(insert, { id: event.id, type: event.type, event: JSON.stringify(event) });
    await eventually(async () => (await admin.get(`/admin/mail/${event.id}`))['Status'] === 'Parked');
    return event.id;
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/mails', layout);
    await check(page.getByRole('table'));
    for (const path of [`/mails/${parkedId}`, '/mails/templates?kind=invitation']) {
      await page.goto(admin.url(path));
      await check(page.locator('main section'));
    }
  });

  it('are sent again using the keyboard only', async () => {
    const { page, keyboard } = await admin.openByKeyboard('/mails?status=Parked');
    const link = page.locator(`a[href="/console/mails/${parkedId}"]`);
    await link.waitFor();
    await keyboard.press(link);
    await page.getByText('cannot be decrypted with the key').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Send again' }));
    await page.getByText('The mail is sent again.').waitFor();
    const entries = await admin.items<{ Action: string }>(`/admin/audit?targetId=${parkedId}`);
    assert.ok(entries.some(({ Action }) => Action === 'mail.retried'));
  });

  it('that are parked are retried in bulk, after a preview', async () => {
    await parkMail();
    const { page, dialog } = await admin.open('/mails');
    await page.getByRole('button', { name: 'Retry parked mails' }).click();
    await dialog.getByRole('button', { name: 'Show how many' }).click();
    await dialog.getByText('Fill in at least one field.').waitFor();
    await submit(dialog, { 'Response of the mail server': 'cannot be opened' }, 'Show how many');
    await dialog.getByText(/would be sent again: \d/).waitFor();
    await dialog.getByRole('button', { name: /^Send again/ }).click();
    await page.getByText(/Mails sent again: \d/).waitFor();
  });

  it('are followed from a test mail to the inbox', async () => {
    const { page, admin: own } = await admin.open('/mails');
    await page.getByRole('button', { name: 'Send a test mail' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { name: 'Test mail' }).waitFor();
    await page.getByRole('main').getByText('Sent', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: own.email }).waitFor();
  });

  it('are previewed in every language, as they look, in a frame that can do nothing, as text and as source', async () => {
    const { page } = await admin.open('/mails/templates?kind=test&locale=en');
    const shown = page.frameLocator('iframe').getByRole('heading');
    assert.equal(await page.locator('iframe').getAttribute('sandbox'), '');
    const english = await shown.first().textContent();
    const logo = page.frameLocator('iframe').locator('img').first();
    assert.ok(await logo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0));
    await page.locator('select[name=locale]').selectOption('de');
    await eventually(async () => (await shown.first().textContent()) !== english);
    await page.getByText('Plain text').click();
    await page.getByRole('region', { name: 'Plain text' }).waitFor();
    await page.getByText('HTML source').click();
    await page.getByText('<!doctype html>').waitFor();
  });
});
