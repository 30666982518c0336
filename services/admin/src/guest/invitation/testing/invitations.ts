import assert from 'node:assert/strict';
import { acceptInvitation, inviteUsers } from '@gatehouse/accounts';
import {
  invitationTokenIn,
  PASSWORD,
  someEmail,
  unexpected,
  type AccountRef,
} from '@gatehouse/accounts/testing';
import { accounts, contentDefinitions, query } from '@gatehouse/db';
import type { Who } from '@gatehouse/http/testing';
import { startAdmin, type TestAdmin } from '../../../testing/index.ts';

const PATH = '/admin/invitation';

export interface Item {
  Id: string;
  Email: string;
  UserId: string;
  ContentDefinitionId: string;
  ExpiresAt: string;
  MailStatus: string | null;
}

/** What the tests of a suite work with; set before each test. */
interface At {
  admin: TestAdmin;
  /** Of an administrator. */
  token: string;
  /** New in each test, with new content. */
  owner: AccountRef;
  content: string;
}

/** Starts Admin for the tests of the suite that calls this, and returns their helpers. */
export function useInvitations() {
  const at = {} as At; // filled by the hooks, which run before any helper
  before(async () => {
    at.admin = await startAdmin();
    // Unpublished events stay in the outbox, where the tests read them.
    await at.admin.app.relay.stop();
    at.token = (await at.admin.login(await at.admin.newAccount({ role: 'Admin' }))).Token;
  });
  beforeEach(async () => {
    at.owner = await at.admin.newAccount({ displayName: 'Olga' });
    at.content = await at.admin.newContent(at.owner);
  });
  after(() => at.admin.stop());

  const sql = (text: string, values: string[] = []) =>
    query<Record<string, unknown>>(at.admin.app.db, text, values);
  const sharingOf = async (id: string) => {
    const found = await contentDefinitions.findById(at.admin.app.db, id);
    const account = await accounts.findById(at.admin.app.db, at.owner.id);
    assert.ok(found && account);
    return { content: found, sharer: { id: account.id, account } };
  };
  const list = async (filter: string): Promise<{ Items: Item[]; NextCursor?: string }> =>
    (await at.admin.get(`${PATH}?${filter}`, at.token).expect(200)).body;
  const invite = async (email = someEmail(), to = at.content): Promise<Item> => {
    const sharing = await sharingOf(to);
    const emails = new Map([[email, email]]);
    const actor = { kind: 'System' } as const;
    const origin = { traceId: 'x', dueAt: Infinity };
    await inviteUsers(at.admin.app, { ...sharing, emails, actor }, origin, unexpected);
    const { Items } = await list(`email=${email}&contentDefinitionId=${to}`);
    assert.ok(Items[0]);
    return Items[0];
  };
  return {
    at,
    sql,
    sharingOf,
    list,
    invite,
    /** The secret of the newest link that was mailed to somebody. */
    linkTo: async (email: string) => invitationTokenIn(await at.admin.app.mailsTo(email)),
    accept: (link: string) =>
      acceptInvitation(
        at.admin.app,
        { token: link, password: PASSWORD, displayName: 'Gus' },
        { traceId: 'x', dueAt: Infinity, address: '192.0.2.1' },
      ),
    resend: (id: string, who: Who = at.token) => at.admin.post(`${PATH}/${id}/resend`, who),
    remove: (id: string, who: Who = at.token) => at.admin.call('delete', `${PATH}/${id}`, who),
    expire: (id: string) => sql('update invitation set expires_at = now() where id = ?', [id]),
    isExpired: async (id: string) => (await accounts.findById(at.admin.app.db, id))?.isExpired,
    audited: (id: string) => sql('select action, details from audit where target_id = ? order by id', [id]),
  };
}
