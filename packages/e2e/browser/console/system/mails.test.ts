import assert from 'node:assert/strict';
import { connectDb, inTransaction, outbox } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast, itInEveryLayout, type Site, type TestConsole } from '../../testing/index.ts';

describe('the mails in the console', () => {
  const { site, admin } = cast();
  let parkedId: string;
  before(async () => {
    parkedId = await parkMail(site, admin);
  });

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/mails', layout);
    await page.getByRole('table').waitFor();
    await check(page);
    for (const path of [`/mails/${parkedId}`, '/mails/templates?kind=invitation']) {
      await page.goto(admin.url(path));
      await page.locator('main section').waitFor();
      await check(page);
    }
  });

  it('are found by status and sent again using the keyboard only', async () => {
    const { page, keyboard } = await admin.openByKeyboard('/mails');
    await keyboard.press(page.getByRole('button', { name: 'Filter', exact: true }));
    await keyboard.press(page.getByRole('button', { name: 'State', exact: true }));
    await page.locator('select[name=status]:open').waitFor();
    await keyboard.choose(page.locator('select[name=status]'), 'Parked');
    await page.keyboard.press('Enter');
    await page.waitForURL(/status=Parked/);
    const link = page.locator(`a[href="/console/mails/${parkedId}"]`);
    await link.waitFor();
    await keyboard.press(link);
    await page.getByText('cannot be decrypted with the key').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Send again' }));
    await page.getByText('The mail is sent again.').waitFor();
    const { body } = await admin.call('GET', `/admin/audit?targetId=${parkedId}`);
    assert.match(JSON.stringify(body), /mail\.retried/);
  });

  it('that are parked are retried in bulk, after a preview', async () => {
    await parkMail(site, admin);
    const { page } = await admin.open('/mails');
    await page.getByRole('button', { name: 'Retry parked mails' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Show how many' }).click();
    await dialog.getByText('Fill in at least one field.').waitFor();
    await dialog.getByLabel('Response of the mail server').fill('cannot be opened');
    await dialog.getByRole('button', { name: 'Show how many' }).click();
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

/** Creates a mail that the mail worker parks every time, because it cannot open its content. Returns its id. */
async function parkMail(site: Site, admin: TestConsole): Promise<string> {
  const { databaseUrl, seed } = site.stack.facts;
  const db = connectDb({ url: databaseUrl, applicationName: 'console mails', poolMax: 1 });
  const event = newEvent('guest.invited', {
    UserId: newId(),
    InvitationId: newId(),
    ContentDefinitionId: seed.contentDefinitionId,
    Mail: 'AQAAAA',
  });
  const traced = { ...event, traceid: newId().replaceAll('-', '') };
  await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [traced]));
  await db.destroy();
  await eventually(
    async () => (await admin.call('GET', `/admin/mail/${event.id}`)).body['Status'] === 'Parked',
  );
  return event.id;
}
