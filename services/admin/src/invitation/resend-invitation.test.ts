import assert from 'node:assert/strict';
import { acceptInvitation, inviteUsers, removeAccess } from '@gatehouse/accounts';
import { invitationTokenIn, PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { accounts, contentDefinitions, query } from '@gatehouse/db';
import type { AccountRef } from '@gatehouse/accounts/testing';

import type { Who } from '@gatehouse/http/testing';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/invitation';

interface Item {
  Id: string;
  Email: string;
  UserId: string;
  ContentDefinitionId: string;
  ExpiresAt: string;
  MailStatus: string | null;
}

describe('POST /admin/invitation/{id}/resend', () => {
  let admin: TestAdmin;
  let token: string;
  let owner: AccountRef;
  let content: string;
  before(async () => {
    admin = await startAdmin();
    // Unpublished events stay in the outbox, where the tests read them.
    await admin.app.relay.stop();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  beforeEach(async () => {
    owner = await admin.newAccount({ displayName: 'Olga' });
    content = await admin.newContent(owner);
  });
  after(() => admin.stop());

  const sql = (text: string, values: string[] = []) =>
    query<Record<string, unknown>>(admin.app.db, text, values);
  const sharingOf = async (id: string) => {
    const found = await contentDefinitions.findById(admin.app.db, id);
    const account = await accounts.findById(admin.app.db, owner.id);
    assert.ok(found && account);
    return { content: found, sharer: { id: account.id, account } };
  };
  const invite = async (email = someEmail(), to = content): Promise<Item> => {
    const sharing = await sharingOf(to);
    const emails = new Map([[email, email]]);
    const actor = { kind: 'System' } as const;
    const origin = { traceId: 'x', dueAt: Infinity };
    const outcome = await inviteUsers(admin.app, { ...sharing, emails, actor }, origin);
    assert.ok(outcome.kind === 'invited');
    const { Items } = await list(`email=${email}&contentDefinitionId=${to}`);
    assert.ok(Items[0]);
    return Items[0];
  };
  const list = async (filter: string): Promise<{ Items: Item[]; NextCursor?: string }> =>
    (await admin.get(`${PATH}?${filter}`, token).expect(200)).body;
  const linkTo = async (email: string) => invitationTokenIn(await admin.app.mailsTo(email));
  const accept = (link: string) =>
    acceptInvitation(
      admin.app,
      { token: link, password: PASSWORD, displayName: 'Gus' },
      { traceId: 'x', dueAt: Infinity, address: '192.0.2.1' },
    );
  const resend = (id: string, who: Who = token) => admin.post(`${PATH}/${id}/resend`, who);
  const remove = (id: string, who: Who = token) => admin.call('delete', `${PATH}/${id}`, who);
  const expire = (id: string) => sql('update invitation set expires_at = now() where id = ?', [id]);
  const isExpired = async (id: string) => (await accounts.findById(admin.app.db, id))?.isExpired;
  const audited = (id: string) =>
    sql('select action, details from audit where target_id = ? order by id', [id]);

  it('mails a new link that invalidates the older one and has the full lifetime', async () => {
    const item = await invite();
    const older = await linkTo(item.Email);
    await sql("update invitation set expires_at = now() + interval '1 hour' where id = ?", [item.Id]);
    const { body } = await resend(item.Id).expect(200);
    const { ExpiresAt, ...rest } = body;
    const { ExpiresAt: _before, ...before } = item;
    assert.deepEqual(rest, before);
    assert.ok(Date.parse(ExpiresAt) > Date.now() + 6.9 * 24 * 3600 * 1000);
    const newer = await linkTo(item.Email);
    assert.notEqual(newer, older);
    assert.deepEqual(await accept(older), { kind: 'invalid' });
    assert.equal((await accept(newer)).kind, 'accepted');
    await resend(item.Id).expect(404);
    await remove(item.Id).expect(404);
    const details = { UserId: item.UserId, ContentDefinitionId: content };
    assert.deepEqual(await audited(item.Id), [{ action: 'invitation.resent', details }]);
  });

  it('reactivates an expired invitation and its expired guest', async () => {
    const email = someEmail();
    const item = await invite(email);
    const other = await admin.newContent(owner);
    await invite(email, other);
    await expire(item.Id);
    const sharing = await sharingOf(other);
    await removeAccess(
      admin.app,
      { ...sharing, actor: { kind: 'System' }, from: { by: 'id', id: item.UserId } },
      { traceId: 'x', dueAt: Infinity },
    );
    assert.equal(await isExpired(item.UserId), true);
    await resend(item.Id).expect(200);
    assert.equal(await isExpired(item.UserId), false);
    assert.equal((await accept(await linkTo(email))).kind, 'accepted');
  });

  it('does not mail a link that would not work', async () => {
    const disabled = await invite();
    await sql('update account set is_disabled = true where id = ?', [disabled.UserId]);
    const orphaned = await invite();
    const mailed = (await admin.app.mailsTo(orphaned.Email)).length;
    await sql('update account set is_disabled = true where id = ?', [owner.id]);
    for (const { Id } of [disabled, orphaned]) {
      assert.equal((await resend(Id).expect(409)).body.code, 'conflict');
      assert.deepEqual(await audited(Id), []);
    }
    assert.equal((await admin.app.mailsTo(orphaned.Email)).length, mailed);
  });

  it('is limited per address and hour, and keeps the link beyond that', async () => {
    const item = await invite();
    for (let time = 0; time < 5; time += 1) await resend(item.Id).expect(200);
    const link = await linkTo(item.Email);
    const { headers, body } = await resend(item.Id).expect(429);
    assert.equal(body.code, 'too_many_requests');
    assert.ok(Number(headers['retry-after']) > 0);
    assert.equal((await admin.app.mailsTo(item.Email)).length, 6);
    assert.equal((await audited(item.Id)).length, 5);
    assert.equal((await accept(link)).kind, 'accepted');
  });

  it('lets exactly one win when a guest registers while an administrator resends', async () => {
    for (let round = 0; round < 6; round += 1) {
      const item = await invite();
      const link = await linkTo(item.Email);
      const [accepted, resent] = await Promise.all([accept(link), resend(item.Id)]);
      const wins = [accepted.kind === 'accepted', resent.status === 200];
      assert.equal(wins.filter(Boolean).length, 1);
      if (wins[0] === false) assert.equal((await accept(await linkTo(item.Email))).kind, 'accepted');
    }
  });
});
