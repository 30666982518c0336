import assert from 'node:assert/strict';
import { newClient } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';
import { isStored, signInTo } from './testing.ts';

const PATH = '/admin/oauth-client';

describe('who is signed in to a client', () => {
  const { admin, audit, boss, member } = cast({ SINGLE_SESSION: false });

  const create = async () => (await newClient(admin().app)).id;
  const listed = async (client: string): Promise<string[]> => {
    const body = await boss.read(`${PATH}/${client}/session?count=true`);
    assert.equal(body.Count, body.Items.length);
    return body.Items.map(({ Id }: { Id: string }) => Id);
  };

  it('is listed, newest first, as long as the session lives', async () => {
    const client = await create();
    const [ann, ben] = [await member(), await member()];
    const [one, other] = [await signInTo(admin(), client, ann), await signInTo(admin(), client, ben)];
    await signInTo(admin(), await create(), ann);
    assert.deepEqual(await listed(client), [other, one]);
    const body = await boss.read(`${PATH}/${client}/session?limit=1`);
    const shown = [body.Items[0].UserId, body.Items[0].Email, body.Items[0].Scopes];
    assert.deepEqual(shown, [ben.id, ben.email, ['openid']]);
    assert.equal(typeof body.NextCursor, 'string');
    await boss.post('/admin/user-session', { UserId: ann.id, Status: 4 }).expect(200);
    assert.deepEqual(await listed(client), [other]);
  });

  it('is signed out one by one, which is recorded, and only from this client', async () => {
    const [client, another] = [await create(), await create()];
    const ann = await member();
    const id = await signInTo(admin(), client, ann);
    await boss.delete(`${PATH}/${another}/session/${id}`).expect(404);
    await boss.delete(`${PATH}/${client}/session/${newId()}`).expect(404);
    await boss.delete(`${PATH}/${client}/session/${id}`).expect(204);
    await boss.delete(`${PATH}/${client}/session/${id}`).expect(404);
    assert.equal(await isStored(admin(), id), false);
    const { entries } = await audit({ targetId: client, action: 'app.signed-out' });
    const shown = entries.map(({ details }) => details?.['UserId']);
    assert.deepEqual(shown, [ann.id]);
  });

  // What ends it is tried in packages/e2e/src/oauth/ends.
  it('stays signed in when the client or the account changes, and still fits', async () => {
    const [client, ann] = [await create(), await member()];
    const id = await signInTo(admin(), client, ann);
    await boss.patch(`/admin/account/${ann.id}`, { Groups: ['staff'] }).expect(200);
    await boss.patch(`${PATH}/${client}`, { Name: 'Renamed', Groups: ['staff'] }).expect(200);
    assert.ok(await isStored(admin(), id));
  });
});
