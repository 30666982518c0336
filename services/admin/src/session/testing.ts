import { ping } from '@gatehouse/accounts';
import { openTestAccounts } from '@gatehouse/accounts/testing';
import { connectRedis } from '@gatehouse/session-cache';
import { query } from '@gatehouse/db';
import { eventually, testLog, testServers } from '@gatehouse/runtime/testing';
import { startAdmin } from '../testing/index.ts';

export const PATH = '/admin/user-session';

type Login = { Token: string; sessionId: string };

/** The fields of a changed session that tests look at. */
export interface Item {
  Id: string;
  Status: number;
  IsOnline: boolean;
  EndedAt: string | null;
}

/**
 * Admin with an administrator who is logged in, and another process of the same installation, to which sessions
 * ping and show their tokens: what Admin changes must hold there.
 */
export async function startSessions(
  changes: Parameters<typeof startAdmin>[0] = {},
  secondInstance?: Parameters<typeof startAdmin>[1],
) {
  const admin = await startAdmin(changes, secondInstance);
  const elsewhere = await openTestAccounts(changes, admin.app);
  // What is not published stays in the outbox, where the tests look.
  await Promise.all([admin.app.relay.stop(), elsewhere.relay.stop()]);
  const administrator = await admin.newAccount({ role: 'Admin' });
  const own = await admin.login(administrator);
  const show = async (id: string) => (await admin.get(`${PATH}/${id}`, own).expect(200)).body;
  return {
    ...admin,
    elsewhere,
    administrator,
    own,
    /** Somebody's session. */
    newSession: async (overrides?: Parameters<typeof admin.newAccount>[0]) => {
      const person = await admin.newAccount(overrides);
      return { person, ...(await admin.login(person)) };
    },
    show,
    change: (given: object) => admin.post(PATH, own, given),
    statusOf: async (id: string) => ((await show(id)) as Item).Status,
    /** What a ping tells this session elsewhere: its number, or why it is refused. */
    pingOf: async ({ Token }: Login, contentDefinitionId?: string) => {
      const caller = await elsewhere.auth.verify(`Bearer ${Token}`);
      if (caller.kind !== 'session') throw new Error('the token is not good');
      const pinged = await ping(elsewhere, caller, contentDefinitionId);
      return pinged.kind === 'refused' ? pinged.code : pinged.status;
    },
    /** How its token is received elsewhere: `active`, or the code of the refusal. */
    bearerOf: async ({ Token }: Login) => {
      const caller = await elsewhere.auth.authenticate(`Bearer ${Token}`);
      return caller.kind === 'refused' ? caller.code : 'active';
    },
    /** Every event about this session after its start, in their order. */
    eventsOf: async (sessionId: string) => {
      const rows = await query<{ type: string; data: object }>(
        admin.app.db,
        `select type, event -> 'data' as data from outbox
         where event -> 'data' ->> 'SessionId' = ? and type <> 'session.started' order by id`,
        [sessionId],
      );
      return rows.map(({ type, data }) => [type, data]);
    },
    stop: async () => {
      await elsewhere.stop();
      await admin.stop();
    },
  };
}

/** A Redis for those who empty it: the one of the test run serves other tests too. */
export const ownRedis = () => `${testServers().TEST_REDIS_URL}/11`;

/** Empties `ownRedis`. */
export async function forgetRedis(): Promise<void> {
  const redis = connectRedis({ url: ownRedis(), log: testLog() });
  await eventually(() => redis.status === 'ready');
  await redis.flushdb();
  redis.disconnect();
}

export type TestSessions = Awaited<ReturnType<typeof startSessions>>;
