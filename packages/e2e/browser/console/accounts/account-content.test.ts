import assert from 'node:assert/strict';
import { cast, itInEveryLayout } from '../../testing/index.ts';

describe('content of an account in the console', () => {
  const { site, admin } = cast();
  let ann: User;
  before(async () => {
    ann = await admin.newUser();
    await admin.newContent('Owned by Ann', { OwnerId: ann.id });
    const Emails = [ann.email];
    await admin.call(
      'POST',
      `/admin/content-definition/${await admin.newContent('Shared with Ann')}/invite`,
      { Emails },
    );
  });

  interface User {
    id: string;
    email: string;
  }

  const contentOf = async ({ id }: User): Promise<{ Name: string; ExpiresAt: string | null }[]> => {
    const { body } = await admin.call('GET', `/admin/account/${id}/content`);
    return body['Items'] as { Name: string; ExpiresAt: string | null }[]; // public-openapi.json
  };

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { page } = await admin.open(`/accounts/${ann.id}/content`, layout);
    await page.getByRole('link', { name: 'Owned by Ann' }).waitFor();
    await check(page);
    await page.getByRole('button', { name: /Give access|Zugang erteilen/ }).click();
    await page.getByRole('radio').first().waitFor();
    await check(page);
  });

  it('is shared until a date and revoked, using the keyboard only', async () => {
    const ben = await admin.newUser();
    const name = `Secret plans ${site.someEmail()}`;
    await admin.newContent(name);
    const { page, keyboard } = await admin.openByKeyboard(`/accounts/${ben.id}/content`);
    await page.getByText('owns no content and has access to none').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Give access' }));
    const dialog = page.getByRole('dialog', { name: 'Give access' });
    await keyboard.press(dialog.getByRole('button', { name: 'Give access' }));
    await dialog.locator('[name=search][aria-invalid=true]').waitFor();
    await keyboard.type(dialog.getByLabel('Find content'), name);
    const choice = dialog.getByRole('radio', { name });
    await choice.waitFor();
    await keyboard.to(choice);
    await page.keyboard.press('Space');
    await dialog.getByLabel('Until').fill('2099-01-02T03:04');
    await keyboard.press(dialog.getByRole('button', { name: 'Give access' }));
    await page.getByText('Access was given.').waitFor();
    const [given] = await contentOf(ben);
    assert.equal(given?.Name, name);
    assert.match(given?.ExpiresAt ?? '', /^2099-01-0/);
    await page.getByRole('cell', { name: 'Has access' }).waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Revoke access' }));
    const asked = page.getByRole('dialog', { name: 'Revoke access' });
    await keyboard.press(asked.getByRole('button', { name: 'Revoke access' }));
    await page.getByText('owns no content and has access to none').waitFor();
    await keyboard.expectNoPointer();
    assert.deepEqual(await contentOf(ben), []);
  });
});
