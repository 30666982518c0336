import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { cast, chooseFile, downloaded, itInEveryLayout, PASSWORD } from '../../testing/index.ts';

describe('the import in the console', () => {
  const { site, admin } = cast();

  const choose = (page: Page, lines: readonly string[]) =>
    chooseFile(page, 'accounts.csv', lines.join('\r\n'));

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open('/import', layout);
    await choose(page, ['E-mail,Full name', `${site.someEmail()},"Lee, Ann"`, 'nobody,']);
    await page.getByText('Lee, Ann').waitFor();
    await page.getByRole('button', { name: /^(Check|Alle)/ }).click();
    await check(page.getByRole('row').filter({ hasText: /^3(The email|Die E-Mail)/ }));
  });

  it('does a dry run first, imports after password confirmation, and keeps the failures', async () => {
    const { page, admin: own } = await admin.open('/import');
    const taken = await site.newAccount();
    const fresh = Array.from({ length: 1201 }, () => site.someEmail());
    const lines = ['Login;Person', ...fresh.map((email) => `${email};"Name; of ${email}"`), `${taken};`, ';'];
    await choose(page, [...lines, 'nobody;x']);
    await page.getByText('accounts.csv: 1,203 rows').waitFor();
    await page.locator('select[name=DisplayName]').selectOption('Person');
    const run = page.getByRole('button', { name: 'Import 1,203 rows' });
    assert.ok(await run.isDisabled());
    await page.getByRole('button', { name: 'Check all 1,203 rows' }).click();
    await page.getByText('1203 of 1203 rows').waitFor();
    assert.deepEqual(await admin.items(`/admin/account?email=${fresh[0]}`), []);
    await site.forgetConfirmation(own.email);
    await page.getByRole('button', { name: 'Import 1,201 rows' }).click();
    await page.getByRole('dialog').locator('input[type=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('1203 of 1203 rows').waitFor();
    const [last] = await admin.items(`/admin/account?email=${fresh[1200]}`);
    assert.match(JSON.stringify(last), /"DisplayName":"Name; of/);
    const save = page.getByRole('button', { name: 'Save all 2 as a file' });
    const kept = await downloaded(page, () => save.click());
    assert.match(kept.text, /"1203","email_taken"[^]*"1205","invalid_line"/);
  });

  it('tries again where a service is busy, and goes on where it was cut off', async () => {
    const { page } = await admin.open('/import');
    const emails = Array.from({ length: 2500 }, () => site.someEmail());
    await choose(page, ['Email', ...emails]);
    await page.getByRole('button', { name: 'Check all 2,500 rows' }).click();
    let sent = 0;
    await page.route('**/admin/account/import?dryRun=false*', (route) => {
      sent += 1;
      if (sent === 2) return route.fulfill({ status: 503 });
      return sent === 4 ? route.fulfill({ status: 500 }) : route.continue();
    });
    await page.getByRole('button', { name: 'Import 2,500 rows' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('2500 of 2500 rows').waitFor();
    const facts = await page.locator('dl').filter({ hasText: 'Imported' }).innerText();
    assert.match(facts, /Imported\s+2,?500/);
    assert.equal(sent, 5);
  });

  it('warns of hashes that slow down every wrong password, and imports their accounts without them', async () => {
    const { page } = await admin.open('/import');
    const [email, hash] = [site.someEmail(), `$2b$14$${'Gatehouse.'.repeat(6).slice(0, 53)}`];
    await choose(page, ['Email,Hash', `${email},${hash}`]);
    await page.getByRole('button', { name: /^Check/ }).click();
    await page.getByText(/^1 of these hashes take longer .*cost 14/).waitFor();
    await page.getByLabel(/^Import accounts with such hashes without a password/).check();
    await page.getByRole('button', { name: 'Import the row' }).click();
    await page.getByText('1 of 1 rows').waitFor();
    const [account] = await admin.items<{ LoginStatus: number }>(`/admin/account?email=${email}`);
    assert.equal(account?.LoginStatus, 6);
  });

  it('imports a list of our own lines as they are, of plain passwords in small batches', async () => {
    const { page } = await admin.open('/import');
    const Hash = createHash('md5').update(PASSWORD).digest('hex');
    const emails = Array.from({ length: 51 }, () => site.someEmail());
    const all = emails.map((Email) => ({ Email, PasswordDigest: { Algorithm: 'md5', Hash } }));
    const lines = [...all, { Email: site.someEmail(), IsDisabled: true }];
    await chooseFile(page, 'own.json', JSON.stringify(lines));
    await page.getByRole('button', { name: 'Check all 52 rows' }).click();
    await page.getByText('/IsDisabled is not a known field').waitFor();
    let sent = 0;
    await page.route('**/admin/account/import?dryRun=false*', (route) => {
      sent += 1;
      return route.continue();
    });
    await page.getByRole('button', { name: 'Import 51 rows' }).click();
    await page.getByText('52 of 52 rows').waitFor();
    assert.equal(sent, 2);
    await site.login(emails[50] ?? '');
  });

  it('says how a file was read, and what is wrong with one', async () => {
    const { page } = await admin.open('/import');
    const latin = Buffer.from('E-Mail-Adresse;Nachname\r\nkim@x.example;Gro\u00DF', 'latin1');
    await chooseFile(page, 'a.csv', latin);
    await page.getByText(/was read as Windows-1252/).waitFor();
    const user = { username: 'kim', email: site.someEmail(), enabled: true, emailVerified: true };
    const realm = JSON.stringify({ realm: 'shop', users: [user, { ...user, enabled: false }] });
    await chooseFile(page, 'realm.json', realm);
    await page.getByText('Export of Keycloak').waitFor();
    await page.getByText('Left out: disabled or deleted').waitFor();
    for (const [lines, said] of [
      [['Email,Name,Name', 'x,y,z'], 'Several columns have the same name: Name'],
      [['just words'], /This file is neither CSV/],
      [['a,b', '1,2'], 'Choose the column with the email address.'],
    ] as const) {
      await choose(page, lines);
      await page.getByText(said).waitFor();
    }
    assert.equal(await page.getByRole('button', { name: /^Check/ }).count(), 0);
  });
});
