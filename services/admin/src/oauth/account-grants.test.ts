import assert from 'node:assert/strict';
import { newClient } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';
import { isStored, signInTo } from './testing.ts';

interface Listed {
  Id: string;
  Name: string;
}

describe('what stays signed in to an account by itself', () => {
  const { admin, audit, boss, member } = cast();
  let client: string;
  before(async () => {
    const body = { Name: 'Television', RedirectUris: ['https://app.example.com'], Grants: 'own' };
    client = (await boss.post('/admin/oauth-client', body).expect(201)).body.Id;
  });

  const open = (account: { id: string }) => signInTo(admin(), client, account, { isOwn: true });
  const pathOf = ({ id }: { id: string }) => `/admin/account/${id}/grant`;
  const listed = async (account: { id: string }): Promise<Listed[]> =>
    (await boss.read(pathOf(account))).Items;

  it('is listed with its device, and in the list of its application', async () => {
    const ann = await member();
    const [own, inSession] = [await open(ann), await signInTo(admin(), client, ann)];
    const [grant, ...others] = await listed(ann);
    const { CreatedAt, LastUsedAt, ...rest } = { CreatedAt: '', LastUsedAt: '', ...grant };
    assert.deepEqual(rest, {
      ...{ Id: own, AppId: client, Name: 'Television', Scopes: ['openid'] },
      ...{ IpAddress: '192.0.2.7', UserAgent: 'Television/1.0', ExpiresAt: null },
    });
    assert.ok(CreatedAt !== '' && CreatedAt === LastUsedAt);
    assert.deepEqual(others, []);
    const { Items } = await boss.read(`/admin/oauth-client/${client}/session`);
    const shown = (Items as Record<string, unknown>[]).map((item) =>
      ['Id', 'IsOwn', 'IpAddress', 'UserAgent'].map((name) => item[name]),
    );
    assert.deepEqual(shown, [
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
    assert.deepEqual((await listed(ann)).map(({ Id }) => Id).toSorted(), [two, three].toSorted());
    await boss.delete(pathOf(ann)).expect(204, '');
    await boss.delete(pathOf(ann)).expect(204, '');
    assert.deepEqual([await listed(ann), (await listed(ben)).length], [[], 1]);
    assert.ok(await isStored(admin(), inSession));
    const { entries } = await audit({ targetId: client, action: 'app.signed-out', actorId: boss.id });
    const ended = new Map(entries.map(({ details }) => [details?.['SessionId'], details?.['UserId']]));
    assert.equal(entries.length, 3);
    assert.deepEqual(ended, new Map([one, two, three].map((id) => [id, ann.id])));
  });

  it('ends with its account, and the audit names who has caused that, and why', async () => {
    const ann = await member();
    const SessionId = await open(ann);
    await boss.patch(`/admin/account/${ann.id}`, { IsDisabled: true }).expect(200);
    const { entries } = await audit({ targetId: ann.id, actorId: boss.id });
    const named = (action: string) => entries.find((entry) => entry.action === action);
    const [ended, change] = [named('app.signed-out'), named('account.changed')];
    const details = { UserId: ann.id, SessionId, Reason: 'account_disabled' };
    const shown = [ended?.details, ended?.targetId, ended?.traceId, ended?.ipAddress];
    assert.deepEqual(shown, [details, client, change?.traceId, change?.ipAddress]);
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
