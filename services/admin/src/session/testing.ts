import { ping } from '@gatehouse/accounts';
import { openTestAccounts, peopleOf } from '@gatehouse/accounts/testing';
import { anyRefusal } from '@gatehouse/http/testing';
import { startAdmin } from '../testing/index.ts';

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

export interface Item {
  Id: string;
  Status: number;
  IsOnline: boolean;
  EndedAt: string | null;
}

/**
 * Admin with a logged-in administrator, and another process of the same installation, where sessions
 * ping and use their tokens: Admin's changes must take effect there.
 */
export async function startSessions(
  changes: Parameters<typeof startAdmin>[0] = {},
  secondInstance?: Parameters<typeof startAdmin>[1],
) {
  const admin = await startAdmin(changes, secondInstance);
  const elsewhere = await openTestAccounts(changes, admin.app);
  // Unpublished events stay in the outbox, where the tests read them.
  await Promise.all([admin.app.relay.stop(), elsewhere.relay.stop()]);
  const administrator = await admin.newAccount({ role: 'Admin' });
  const own = await admin.login(administrator);
  const show = async (id: string) => (await admin.get(`${PATH}/${id}`, own).expect(200)).body;
  const people = peopleOf(() => admin.app);
  return {
    ...admin,
    sql: people.sql,
    elsewhere,
    administrator,
    own,
    newSession: async (overrides?: Parameters<typeof admin.newAccount>[0]) => {
      const person = await admin.newAccount(overrides);
      return { person, ...(await admin.login(person)) };
    },
    show,
    change: (given: object) => admin.post(PATH, own, given),
    statusOf: async (id: string) => ((await show(id)) as Item).Status,
    /** The result of a ping in the other process: the status, or why it is refused. */
    pingOf: async ({ Token }: Login, contentDefinitionId?: string) => {
      const caller = await elsewhere.auth.verify(`Bearer ${Token}`);
      if (caller.kind !== 'session') throw new Error('the token is not good');
      const pinged = await ping(elsewhere, caller, contentDefinitionId);
      return pinged.kind === 'refused' ? pinged.code : pinged.status;
    },
    /** The result of the token in the other process: `active`, or the error code. */
    bearerOf: async ({ Token }: Login) => {
      const caller = await elsewhere.auth.authenticate(`Bearer ${Token}`);
      return caller.kind === 'refused' ? caller.code : 'active';
    },
    /** Every event about this session after its start, in order. */
    eventsOf: async (sessionId: string) => {
      const statement = `select type, event -> 'data' as data from outbox
         where event -> 'data' ->> 'SessionId' = ? and type <> 'session.started' order by id`;
      const rows = await people.sql<{ type: string; data: object }>(statement, [sessionId]);
      return rows.map(({ type, data }) => [type, data]);
    },
    stop: async () => {
      await elsewhere.stop();
      await admin.stop();
    },
  };
}

export type TestSessions = Awaited<ReturnType<typeof startSessions>>;

export function useSessions(changes?: Parameters<typeof startAdmin>[0]): TestSessions {
  const at = {} as TestSessions; // filled before the tests
  before(async () => Object.assign(at, await startSessions(changes)));
  after(() => at.stop());
  return at;
}
