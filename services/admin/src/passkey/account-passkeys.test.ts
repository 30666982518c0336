import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readAudit } from '@gatehouse/accounts/testing';
import { inTransaction, passkeys } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const COMMON = {
  ...{ publicKey: Buffer.of(0), algorithm: -7, signCount: 0, transports: [], aaguid: undefined },
  ...{ isBackupEligible: true, isBackedUp: true },
};

describe('the passkeys of an account', () => {
  let admin: TestAdmin;
  let token: string;
  let administratorId: string;
  before(async () => {
    admin = await startAdmin();
    const administrator = await admin.newAccount({ role: 'Admin' });
    administratorId = administrator.id;
    token = (await admin.login(administrator)).Token;
  });
  after(() => admin.stop());

  const addPasskey = async (accountId: string, name: string): Promise<string> => {
    const id = newId();
    const passkey = { ...COMMON, id, accountId, name, credentialId: randomBytes(16) };
    await inTransaction(admin.app.db, NO_DEADLINE, (tx) => passkeys.insert(tx, passkey));
    return id;
  };
  const list = (id: string) => admin.get(`/admin/account/${id}/passkey`, token);
  const remove = (id: string, passkeyId: string) =>
    admin.call('delete', `/admin/account/${id}/passkey/${passkeyId}`, token);
  const listed = async (id: string): Promise<string[]> => {
    const { body } = await list(id).expect(200);
    return (body.Items as { Id: string }[]).map(({ Id }) => Id);
  };

  it('are listed oldest first, with the fields that their owner sees', async () => {
    const { id } = await admin.newAccount();
    assert.deepEqual((await list(id).expect(200)).body, { Items: [] });
    const first = await addPasskey(id, 'Phone');
    const second = await addPasskey(id, 'Laptop');
    const { body } = await list(id).expect(200);
    assert.deepEqual(
      (body.Items as { Id: string; Name: string }[]).map(({ Id, Name }) => [Id, Name]),
      [
        [first, 'Phone'],
        [second, 'Laptop'],
      ],
    );
    const { CreatedAt, ...rest } = body.Items[0];
    assert.deepEqual(rest, { Id: first, Name: 'Phone', IsBackedUp: true, LastUsedAt: null });
    assert.ok(Math.abs(Date.now() - Date.parse(CreatedAt)) < 60_000);
  });

  it('can be removed: sessions end, the owner gets a mail, and the audit records it', async () => {
    const person = await admin.newAccount();
    const session = await admin.login(person);
    const [lost, kept] = [await addPasskey(person.id, 'Lost'), await addPasskey(person.id, 'Kept')];
    await remove(person.id, lost).expect(204, '');
    assert.deepEqual(await listed(person.id), [kept]);
    assert.deepEqual(await admin.app.auth.authenticate(`Bearer ${session.Token}`), {
      kind: 'refused',
      code: 'session_deactivated',
    });
    const mail = (await admin.app.mailsTo(person.email)).at(-1);
    assert.equal(mail?.type, 'account.passkey-removed');
    assert.ok(
      !('IpAddress' in (mail?.content ?? {})),
      'the administrator’s address is not the owner’s business',
    );
    const { entries } = await readAudit(admin.app, { targetId: person.id });
    const removal = entries.find(({ action }) => action === 'account.passkey-removed');
    assert.equal(removal?.actorId, administratorId);
    assert.deepEqual(removal?.details, { PasskeyId: lost });
    await remove(person.id, lost).expect(404);
  });

  it('of another account are not found, and nothing changes', async () => {
    const [ann, ben] = [await admin.newAccount(), await admin.newAccount()];
    const sessions = [await admin.login(ann), await admin.login(ben)];
    const bens = await addPasskey(ben.id, 'Ben’s');
    assert.equal((await remove(ann.id, bens).expect(404)).body.code, 'not_found');
    assert.deepEqual(await listed(ben.id), [bens]);
    for (const { Token } of sessions) {
      assert.equal((await admin.app.auth.authenticate(`Bearer ${Token}`)).kind, 'session');
    }
    for (const { email, id } of [ann, ben]) {
      assert.deepEqual(await admin.app.mailsTo(email), []);
      assert.deepEqual((await readAudit(admin.app, { targetId: id })).entries, []);
    }
  });

  it('are removed once by concurrent requests, with one mail', async () => {
    const person = await admin.newAccount();
    const id = await addPasskey(person.id, 'Lost');
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(person.id, id)));
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    assert.equal(answers.filter(({ status }) => status === 404).length, 4);
    assert.equal((await admin.app.mailsTo(person.email)).length, 1);
  });

  it('require an existing account and a valid id', async () => {
    await list(newId()).expect(404);
    await remove(newId(), newId()).expect(404);
    const { id } = await admin.newAccount();
    await remove(id, newId()).expect(404);
    await remove(id, 'x').expect(400);
  });
});
