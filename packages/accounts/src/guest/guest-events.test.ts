import assert from 'node:assert/strict';
import { accounts, contentDefinitions, guestAccounts, query, type Actor } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { v7 as newId } from 'uuid';
import {
  acceptInvitation,
  deleteContent,
  deleteInvitations,
  distinctEmails,
  inviteUsers,
  removeAccess,
  writeRetiring,
} from '../index.ts';
import {
  invitationTokenIn,
  newContent,
  openTestAccounts,
  PASSWORD,
  accountFixtures,
  someEmail,
  switchOnTwoFactor,
  unexpected,
} from '../testing/index.ts';

const ORIGIN = { traceId: 'test', dueAt: Infinity };
const EXPIRY = ['account.updated', { Changed: ['ExpiresAt'] }];

describe('events for guests who expire and are invited again', () => {
  const app = during(() => openTestAccounts({ GUEST_WITHOUT_CONTENT: 'expire', MAILS_PER_HOUR: 100 }));
  // Without the relay, events stay in the outbox, where the tests read them.
  before(() => app.relay.stop());

  /** The events since the last call, without the account's id. */
  const since = new Map<string, number>();
  const eventsOf = async (accountId: string) => {
    const rows = await query<{ event: { type: string; data: Record<string, unknown> } }>(
      app.db,
      `select event from outbox
       where (type = 'account.updated' or type = 'account.two-factor-disabled') and event -> 'data' ->> 'UserId' = ?
       order by id`,
      [accountId],
    );
    const news = rows.slice(since.get(accountId) ?? 0);
    since.set(accountId, rows.length);
    return news.map(({ event: { type, data } }) => {
      const { UserId, ...rest } = data;
      assert.equal(UserId, accountId);
      return [type, rest];
    });
  };

  const newGuest = async () => {
    const [email, contentId] = [someEmail(), await newContent(app)];
    const content = await contentDefinitions.findById(app.db, contentId);
    assert.ok(content);
    const owner = await accountFixtures(app).newAccount();
    const account = await accounts.findById(app.db, owner.id);
    const sharing = { content, sharer: { id: owner.id, account }, emails: distinctEmails([email]) };
    const actor = { kind: 'Account', id: owner.id } as const;
    const invite = async () => {
      const [invited] = await inviteUsers(app, { ...sharing, actor }, ORIGIN, unexpected);
      return invited?.accountId ?? '';
    };
    const accept = async (displayName: string) => {
      const token = invitationTokenIn(
        (await app.mailsTo(email)).filter(({ type }) => type === 'guest.invited'),
      );
      const outcome = await acceptInvitation(app, { token, password: PASSWORD, displayName }, ORIGIN);
      assert.equal(outcome.kind, 'accepted');
    };
    const from = { by: 'emails', emails: sharing.emails } as const;
    const remove = () => removeAccess(app, { ...sharing, from, actor }, ORIGIN);
    return { id: await invite(), owner, contentId, invite, accept, remove };
  };

  it('contain the actor who removes the last content or invites again', async () => {
    const { id, owner, invite, accept, remove } = await newGuest();
    const ChangedBy = owner.id;
    assert.deepEqual(await eventsOf(id), []);
    await accept('Gus');
    assert.deepEqual(await eventsOf(id), [['account.updated', { Changed: ['DisplayName'], ChangedBy: id }]]);
    await switchOnTwoFactor(app, id);
    await remove();
    const expiry = ['account.updated', { Changed: ['ExpiresAt'], ChangedBy }];
    assert.deepEqual(await eventsOf(id), [expiry]);
    await remove();
    assert.deepEqual(await eventsOf(id), []);
    await invite();
    assert.deepEqual(await eventsOf(id), [expiry, ['account.two-factor-disabled', {}]]);
    await accept('Gus');
    assert.deepEqual(await eventsOf(id), []);
  });

  it('are the same when an invitation is deleted and sent again, and when the content is deleted', async () => {
    const { id, contentId, owner, invite } = await newGuest();
    const [pending] = await query<Parameters<typeof deleteInvitations>[1][number]>(
      app.db,
      `select id, account_id as "accountId", content_definition_id as "contentDefinitionId", invited_by as "invitedBy"
       from invitation where account_id = ?`,
      [id],
    );
    const by: Actor = { kind: 'Account', id: newId() };
    const author = { actor: by, origin: ORIGIN };
    await writeRetiring(app, author, async (tx) => {
      const guests = await guestAccounts.lockMany(tx, [id]);
      await deleteInvitations(tx, pending ? [pending] : [], guests, author);
    });
    const expiryBy = (ChangedBy: string) => ['account.updated', { Changed: ['ExpiresAt'], ChangedBy }];
    assert.deepEqual(await eventsOf(id), [expiryBy(by.id)]);
    await invite();
    assert.deepEqual(await eventsOf(id), [expiryBy(owner.id)]);
    await deleteContent(app, contentId, { kind: 'System' }, ORIGIN);
    assert.deepEqual(await eventsOf(id), [EXPIRY]);
  });
});
