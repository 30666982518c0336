import assert from 'node:assert/strict';
import { endAccess } from '@gatehouse/accounts';
import { invitationTokenIn, PASSWORD, readAudit, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import type { TestPortal } from './index.ts';

const HOUR_MS = 3_600_000;

/** The time in this many hours, in the format of requests. */
export const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

export type LimitedContent = Awaited<ReturnType<typeof newLimitedContent>>;

/** A new owner with content, for sharing with an end. The relay must be stopped. */
export async function newLimitedContent(portal: TestPortal) {
  const owner = await portal.newAccount();
  const token = (await portal.login(owner)).Token;
  const content = await portal.newContent(owner);
  const sql = (text: string, values: (string | null)[] = []) =>
    query<Record<string, unknown>>(portal.app.db, text, values);
  const inviteAs = (email: string, ExpiresAt?: unknown, to = content) =>
    portal.post('/account/invite-user', token, { Emails: [email], ContentDefinitionId: to, ExpiresAt });
  const invite = async (email: string, ExpiresAt?: string | null, to = content) =>
    (await inviteAs(email, ExpiresAt, to).expect(200)).body.Items[0] as { UserId: string; Result: string };
  const register = async (email: string) => {
    const InvitationToken = invitationTokenIn(await portal.app.mailsTo(email));
    const given = { InvitationToken, Password: PASSWORD, DisplayName: 'Gus' };
    return portal.post('/account/register-guest', undefined, given);
  };
  return {
    ...{ owner, token, content, sql, inviteAs, invite, register },
    endOf: async (userId: string) => {
      const { body } = await portal.get(`/account/content/${content}/member?limit=200`, token).expect(200);
      return body.Items.find((one: { UserId: string }) => one.UserId === userId)?.ExpiresAt as unknown;
    },
    /** Makes all access to the content end now. */
    passTime: async (to = content) => {
      await sql(`update content_access set expires_at = now() where content_definition_id = ?`, [to]);
      await sql(
        `update invitation set access_expires_at = now(), expires_at = least(expires_at, now())
         where content_definition_id = ?`,
        [to],
      );
    },
    /** The audit entries of an account, oldest first. */
    audited: async (targetId: string) => (await readAudit(portal.app, { targetId })).entries.toReversed(),
    sweep: () => endAccess(portal.app.service),
    /** The data of the events of a type about an account. */
    told: async (userId: string, type: string) => {
      const rows = await sql(
        `select event -> 'data' as data from outbox
         where event ->> 'type' = ? and event -> 'data' ->> 'UserId' = ? order by id`,
        [type, userId],
      );
      return rows.map(({ data }) => data as Record<string, unknown>);
    },
    /** An invited guest who is signed in. */
    guest: async (ExpiresAt?: string | null) => {
      const email = someEmail();
      const { UserId } = await invite(email, ExpiresAt);
      assert.equal((await register(email)).status, 200);
      return { id: UserId, email, ...(await portal.login({ id: UserId })) };
    },
  };
}
