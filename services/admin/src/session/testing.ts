import { ping } from '@gatehouse/accounts';
import { openTestAccounts, type TestAccounts } from '@gatehouse/accounts/testing';
import { anyRefusal } from '@gatehouse/http/testing';
import { cast } from '../testing/cast.ts';

export { problem } from '../testing/cast.ts';

export const PATH = '/admin/user-session';

/** How operations are called without a request, by the system and confirmed. */
export const ORDER = {
  actor: { kind: 'System' },
  origin: { traceId: 'a'.repeat(32), dueAt: Infinity },
  isTrial: false,
  isUnproven: false,
  refuse: anyRefusal,
} as const;

type Login = { Token: string; sessionId: string };

/** Admin and people, and another process, where sessions ping and use their tokens: changes take effect there. */
export function useSessions(changes: Parameters<typeof openTestAccounts>[0] = {}) {
  let elsewhere: TestAccounts;
  // Before Admin, which takes the database with it.
  after(() => elsewhere.stop());
  const its = cast(changes);
  before(async () => {
    elsewhere = await openTestAccounts(changes, its.app());
    await elsewhere.relay.stop();
  });
  const show = (id: string) => its.boss.read(`${PATH}/${id}`);
  return {
    ...its,
    show,
    newSession: async (overrides?: Parameters<typeof its.member>[0]) => {
      const person = await its.member(overrides);
      return { person, ...(await person.logsIn()) };
    },
    change: (given: object) => its.boss.post(PATH, given),
    statusOf: async (id: string): Promise<number> => (await show(id)).Status,
    /** The result of a ping in the other process: the status, or why it is refused. */
    pingOf: async ({ Token }: Login, contentDefinitionId?: string) => {
      const caller = await elsewhere.auth.verify(`Bearer ${Token}`);
      if (caller.kind !== 'session') throw new Error('the token is not good');
      const pinged = await ping(elsewhere, caller, contentDefinitionId);
      return pinged.kind === 'refused' ? pinged.code : pinged.status;
    },
    /** The result of the token in the other process: `active`, or the error code. */
    bearerOf: async ({ Token }: Pick<Login, 'Token'>) => {
      const caller = await elsewhere.auth.authenticate(`Bearer ${Token}`);
      return caller.kind === 'refused' ? caller.code : 'active';
    },
  };
}
