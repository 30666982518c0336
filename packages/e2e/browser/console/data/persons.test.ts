import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast, itInEveryLayout, submit } from '../../testing/index.ts';

describe('the persons in the console', () => {
  const { admin } = cast();

  const newPerson = async (faces: number): Promise<{ id: string; name: string }> => {
    const name = `Person ${newId()}`;
    const { id } = await admin.create('/person', { Name: name });
    const face = { Similarity: 0.8, ImageUrl: 'https://images.example/1.jpg' };
    for (let count = 0; count < faces; count += 1)
      await admin.create(`/person/${id}/face`, { SourceId: newId(), ...face });
    return { id, name };
  };
  const countsOf = async (id: string) => (await admin.get(`/person/${id}`))['FaceMatchCounts'];

  itInEveryLayout('can be used by everybody', async (layout, check) => {
    const { id } = await newPerson(3);
    const { page } = await admin.open('/persons', layout);
    await check(page.getByRole('table'));
    await page.goto(admin.url(`/persons/${id}`));
    await page.locator('button[data-face]').first().press('c');
    await check(page.getByText(/^(Not saved|Nicht gespeichert): 1$/));
  });

  it('have ten faces reviewed using the keyboard only, and a saved review is undone', async () => {
    const { id } = await newPerson(10);
    const { page, keyboard } = await admin.openByKeyboard(`/persons/${id}`);
    const faces = page.locator('button[data-face]');
    await keyboard.to(faces.first());
    for (const key of ['c', 'x', 'b', 'c', 'c', 'x', 'c', 'c', 'c', 'ArrowLeft', 'b', 'x'])
      await page.keyboard.press(key);
    // The ninth face was confirmed first; then the arrow key led back to it.
    await page.getByText('Not saved: 10', { exact: true }).waitFor();
    await page.keyboard.press('u');
    await page.getByText('Not saved: 9', { exact: true }).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.press('s');
    await page.getByText('Saved: 10', { exact: true }).waitFor();
    const decided = { Automatch: 0, ProbableMatch: 0, NotMatch: 2, ConfirmedMatch: 6, Blurry: 2 };
    assert.deepEqual(await countsOf(id), decided);
    await page.getByText('No faces of this type.').waitFor();
    await page.getByRole('link', { name: 'Confirmed 6' }).focus();
    await page.keyboard.press('Enter');
    await keyboard.to(faces.first());
    await page.keyboard.press('u');
    await eventually(async () => JSON.stringify(await countsOf(id)).includes('"ProbableMatch":10'));
  });

  it('warn before leaving with unsaved decisions', async () => {
    const { id } = await newPerson(2);
    const { page } = await admin.open(`/persons/${id}`);
    const asked: string[] = [];
    let goesOn = false;
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (goesOn ? dialog.accept() : dialog.dismiss());
    });
    await page.locator('button[data-face]').first().press('c');
    const unsaved = page.getByText('Not saved: 1', { exact: true });
    await unsaved.waitFor();
    await page.getByRole('link', { name: 'All persons' }).click();
    await page.locator('input[name=find]').fill('somebody');
    await page.locator('input[name=find]').press('Enter');
    await page.locator('button[data-face]').first().focus();
    await page.keyboard.type('ga');
    assert.equal(asked.length, 3);
    assert.equal(new URL(page.url()).pathname, `/console/persons/${id}`);
    await unsaved.waitFor();
    // Switching to other faces of the same person keeps the decisions, so there is no warning.
    await page.getByRole('link', { name: /^Confirmed/ }).click();
    await unsaved.waitFor();
    goesOn = true;
    await page.getByRole('link', { name: 'All persons' }).click();
    await page.getByRole('heading', { name: 'Persons' }).waitFor();
    assert.equal(asked.length, 4);
    assert.match(asked[0] ?? '', /not saved/);
    await page.getByRole('link', { name: 'Accounts' }).first().click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    assert.equal(asked.length, 4);
  });

  it('save more decisions than fit into one request, and keep those that are refused', async () => {
    const [ann, bob] = [await newPerson(502), await newPerson(0)];
    const { page } = await admin.open(`/persons/${ann.id}`);
    const faces = page.locator('button[data-face]');
    const confirmPage = async (): Promise<void> => {
      await faces.first().focus();
      for (let left = await faces.count(); left > 0; left -= 1) await page.keyboard.press('c');
    };
    for (let decided = 50; decided <= 500; decided += 50) {
      await confirmPage();
      await page.getByText(`Not saved: ${decided}`, { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Older' }).click();
      await page.locator('[aria-busy=false] button[data-face]').first().waitFor();
    }
    const shown = `/person/${ann.id}/2?limit=50&${new URL(page.url()).searchParams}`;
    const [, last] = await admin.items<{ SourceId: string }>(shown);
    const report = { SourceId: last?.SourceId, Similarity: 0.9, FaceMatchType: 'ConfirmedMatch' };
    await confirmPage();
    await page.getByText('Not saved: 502', { exact: true }).waitFor();
    assert.equal((await admin.call('POST', `/person/${bob.id}/face`, report)).status, 200);
    await page.keyboard.press('s');
    await page.getByText('no longer belong to this person and were removed from your decisions: 1').waitFor();
    await page.getByText('Not saved: 1', { exact: true }).waitFor();
    const standing = { Automatch: 0, NotMatch: 0, Blurry: 0 };
    assert.deepEqual(await countsOf(ann.id), { ...standing, ProbableMatch: 1, ConfirmedMatch: 500 });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved: 1', { exact: true }).waitFor();
    assert.deepEqual(await countsOf(ann.id), { ...standing, ProbableMatch: 0, ConfirmedMatch: 501 });
  });

  it('are created, renamed and deleted, with a message if the name is taken or was changed meanwhile', async () => {
    const taken = await newPerson(0);
    const { page, dialog } = await admin.open('/persons');
    await page.getByRole('button', { name: 'Create person' }).click();
    await submit(dialog, { Name: taken.name.toUpperCase() }, 'Create person');
    await page.locator('input[name=Name][aria-invalid=true]').waitFor();
    const name = `New ${newId()}`;
    await submit(dialog, { Name: name }, 'Create person');
    await page.getByRole('heading', { name }).waitFor();
    await page.getByRole('button', { name: 'Edit person' }).click();
    await dialog.getByLabel('Notes').fill('From the console');
    const id = page.url().split('/').at(-1) ?? '';
    await admin.call('PUT', `/person/${id}`, { Name: `${name} changed` });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Someone else has changed this person in the meantime.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit person' }).click();
    await submit(dialog, { Notes: 'From the console' }, 'Save');
    await page.getByText('From the console').waitFor();
    await page.getByRole('heading', { name: `${name} changed` }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Delete person' }).click();
    await dialog.getByText(/with all decisions about them: 0/).waitFor();
    await dialog.getByRole('button', { name: 'Delete person' }).click();
    await page.waitForURL(admin.url('/persons'));
    assert.equal((await admin.call('GET', `/person/${id}`)).status, 404);
  });
});
