import assert from 'node:assert/strict';
import { newClient } from '@gatehouse/accounts/testing';
import { fieldsOf } from '@gatehouse/runtime/testing';
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

describe('what stays signed in to an account by itself', () => {
  const { admin, boss, history, member } = cast();
  let client: string;
  before(async () => {
    client = (await newClient(admin().app, { name: 'Television', grants: 'own' })).id;
  });

  const open = (account: { id: string }) => signInTo(admin(), client, account, { isOwn: true });
  const pathOf = ({ id }: { id: string }) => `/admin/account/${id}/grant`;
  const listed = (account: { id: string }) => boss.ids(pathOf(account));

  it('is listed with its device, and in the list of its application', async () => {
    const ann = await member();
    const [own, inSession] = [await open(ann), await signInTo(admin(), client, ann)];
    const [{ CreatedAt, LastUsedAt, ...grant }, ...others] = (await boss.read(pathOf(ann))).Items;
    assert.deepEqual(grant, {
      ...{ Id: own, AppId: client, Name: 'Television', Scopes: ['openid'] },
      ...{ IpAddress: '192.0.2.7', UserAgent: 'Television/1.0', ExpiresAt: null },
    });
    assert.ok(Date.parse(CreatedAt) > 0 && CreatedAt === LastUsedAt);
    assert.deepEqual(others, []);
    const { Items } = await boss.read(`${PATH}/${client}/session`);
    assert.deepEqual(fieldsOf(Items, 'Id', 'IsOwn', 'IpAddress', 'UserAgent'), [
      [inSession, false, null, null],
      [own, true, '192.0.2.7', 'Television/1.0'],
    ]);
  });

  it('is ended one by one or at once, which is recorded, and only for this account', async () => {
    const [ann, ben] = [await member(), await member()];
    const inSession = await signInTo(admin(), client, ann);
    const [one, two, three, bens] = [await open(ann), await open(ann), await open(ann), await open(ben)];
    for (const id of [bens, inSession, newId()]) await boss.delete(`${pathOf(ann)}/${id}`).expect(404);
    await boss.delete(`${pathOf(ann)}/${one}`).expect(204, '');
    await boss.delete(`${pathOf(ann)}/${one}`).expect(404);
    assert.deepEqual((await listed(ann)).toSorted(), [two, three].toSorted());
    await boss.delete(pathOf(ann)).expect(204, '');
    await boss.delete(pathOf(ann)).expect(204, '');
    assert.deepEqual([await listed(ann), (await listed(ben)).length], [[], 1]);
    assert.ok(await isStored(admin(), inSession));
    const ending = { targetId: client, action: 'app.signed-out', actorId: boss.id } as const;
    const Reason = 'signed_out';
    const expected = [one, two, three].map((SessionId) => ({ UserId: ann.id, SessionId, Reason }));
    assert.deepEqual(new Set(await history(ending, 'details')), new Set(expected));
  });
});

describe('what stays signed in and takes a slot', () => {
  const { admin, boss, member } = cast({ SESSION_SLOTS: 'web:1,tv:1' });

  it('ends when a session that is made active again needs its slot', async () => {
    const ann = await member();
    const session = await admin().login(ann, { tag: 'tv' });
    const setStatus = (Status: number) =>
      boss.post('/admin/user-session', { SessionId: session.sessionId, Status }).expect(200);
    await setStatus(4);
    const grants: string[] = [];
    for (const sessionTag of ['tv', null]) {
      const { id } = await newClient(admin().app, { grants: 'own', sessionTag });
      grants.push(await signInTo(admin(), id, ann, { isOwn: true }));
    }
    await setStatus(1);
    assert.deepEqual(await Promise.all(grants.map((id) => isStored(admin(), id))), [false, true]);
  });
});
