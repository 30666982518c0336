import { endAccess } from '@gatehouse/accounts';
import { someEmail } from '@gatehouse/accounts/testing';
import type { Cast } from './cast.ts';

const HOUR_MS = 3_600_000;

/** The time in this many hours, in the format of requests. */
export const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** Somebody with content, new in each test, who shares it with an end. */
export function useLimitedContent({ accept, app, audit, eventsOf, get, linkTo, login, sql, useOwner }: Cast) {
  const olga = useOwner();
  const invite = (email: string, ExpiresAt?: string | null, to = olga.content) =>
    olga.invite(email, { ExpiresAt, ContentDefinitionId: to });
  return {
    olga,
    invite,
    register: async (email: string) => accept(await linkTo(email)),
    endOf: async (userId: string) => {
      const path = `/account/content/${olga.content}/member?limit=200`;
      const { body } = await get(path, olga).expect(200);
      return body.Items.find((one: { UserId: string }) => one.UserId === userId)?.ExpiresAt as unknown;
    },
    /** Makes all access to the content end now. */
    passTime: async (to = olga.content) => {
      await sql(`update content_access set expires_at = now() where content_definition_id = ?`, [to]);
      await sql(
        `update invitation set access_expires_at = now(), expires_at = least(expires_at, now())
         where content_definition_id = ?`,
        [to],
      );
    },
    /** The audit entries of an account, oldest first. */
    audited: async (targetId: string) => (await audit({ targetId })).entries.toReversed(),
    sweep: () => endAccess(app().service),
    /** The data of the events of a type about an account. */
    told: async (userId: string, type: string) => (await eventsOf(userId, type)).map(([, data]) => data),
    /** An invited guest who is signed in. */
    guest: async (ExpiresAt?: string | null) => {
      const email = someEmail();
      const { UserId } = await invite(email, ExpiresAt);
      await accept(await linkTo(email)).expect(200);
      return { id: UserId, email, ...(await login({ id: UserId })) };
    },
  };
}
