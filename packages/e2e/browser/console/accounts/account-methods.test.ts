import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { connectDb, inTransaction, passkeys, ssoIdentities } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { cast, itInEveryLayout } from '../../testing/index.ts';

const PASSKEY = {
  ...{ name: 'Blue key', publicKey: Buffer.of(0), algorithm: -7, signCount: 0, transports: [] },
  ...{ aaguid: undefined, isBackupEligible: false, isBackedUp: false },
};

describe('the sign-in methods of an account in the console', () => {
  const { site, admin } = cast();
  let shown: string;
  before(async () => {
    shown = await newLinkedUser();
  });

  /** An account with a password, a passkey, and an identity of a provider that is not configured. */
  const newLinkedUser = async (): Promise<string> => {
    const { id } = await admin.newUser();
    await addPasskeyTo(id);
    const identity = { issuer: 'https://id.example.com', subject: `person-of-${id}`, provider: 'demo' };
    await inDatabase((tx) => ssoIdentities.insert(tx, identity, id));
    return id;
  };
  const addPasskeyTo = (accountId: string): Promise<void> =>
    inDatabase((tx) =>
      passkeys.insert(tx, { ...PASSKEY, id: randomUUID(), accountId, credentialId: randomBytes(16) }),
    );
  const inDatabase = async (work: Parameters<typeof inTransaction<unknown>>[2]): Promise<void> => {
    const db = connectDb({ url: site.stack.facts.databaseUrl, applicationName: 'methods', poolMax: 1 });
    await inTransaction(db, NO_DEADLINE, work);
    await db.destroy();
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open(`/accounts/${shown}/methods`, layout);
    await page.getByRole('cell', { name: 'https://id.example.com' }).waitFor();
    await check(page);
    await page.getByRole('button', { name: /^(Unlink|Trennen)$/ }).click();
    await page.getByRole('dialog').waitFor();
    await check(page);
  });

  it('say how the password is kept, and take a second factor as required', async () => {
    const { page } = await admin.open(`/accounts/${shown}/methods`);
    const password = page.getByRole('region', { name: 'Password' });
    await password.getByText('A hash with this installation’s own key').waitFor();
    const factor = page.getByRole('region', { name: 'Second factor' });
    await factor.getByText('Not set up').waitFor();
    await factor.getByRole('button', { name: 'Require a second factor' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Require a second factor' }).click();
    await factor.getByRole('button', { name: 'No longer require a second factor' }).waitFor();
    const { body } = await admin.call('GET', `/admin/account/${shown}`);
    assert.equal(body['TwoFactorRequired'], true);
  });

  it('remove the identity of a provider after confirmation', async () => {
    const id = await newLinkedUser();
    const { page } = await admin.open(`/accounts/${id}/methods`);
    await page.getByRole('button', { name: 'Unlink', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Unlink the identity' });
    await dialog.getByText('https://id.example.com').waitFor();
    await dialog.getByRole('button', { name: 'Unlink', exact: true }).click();
    await page.getByText('No provider’s identity is linked.').waitFor();
    const { body } = await admin.call('GET', `/admin/account/${id}/identity`);
    assert.deepEqual(body['Items'], []);
  });

  it('remove a passkey after confirmation, and end the sessions of the account', async () => {
    const id = await newLinkedUser();
    const { page } = await admin.open(`/accounts/${id}/methods`);
    const card = page.getByRole('region', { name: 'Passkeys' });
    await card.getByRole('row', { name: /Blue key On one device/ }).waitFor();
    await card.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove the passkey' });
    await dialog.getByText('“Blue key”').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await card.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await card.getByText('This account has no passkey.').waitFor();
    const { body } = await admin.call('GET', `/admin/account/${id}/passkey`);
    assert.deepEqual(body['Items'], []);
  });

  it('lead administrators to the account pages for their own second factors', async () => {
    const { page, admin: own } = await admin.open();
    await addPasskeyTo(own.id);
    await page.goto(admin.url(`/accounts/${own.id}/methods`));
    const row = page.getByRole('region', { name: 'Passkeys' }).getByRole('row', { name: /Blue key/ });
    await row.getByRole('link', { name: 'Remove on the account pages' }).waitFor();
    assert.equal(await row.getByRole('button').count(), 0);
  });

  it('list the API tokens that its owner has created', async () => {
    const { page, admin: own } = await admin.open('/tokens');
    await page.getByRole('button', { name: 'Create' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Nightly export');
    await dialog.locator('button[type=submit]').click();
    await page
      .getByRole('dialog')
      .getByRole('textbox')
      .or(page.getByRole('dialog').locator('code'))
      .first()
      .waitFor();
    await page.goto(admin.url(`/accounts/${own.id}/methods`));
    await page
      .getByRole('region', { name: 'API tokens created' })
      .getByText('Nightly export')
      .first()
      .waitFor();
  });
});
