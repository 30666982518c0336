import assert from 'node:assert/strict';
import { logout } from '@gatehouse/accounts';
import { SessionStatus } from '@gatehouse/schema';
import { cast } from '../testing/cast.ts';
import { ORDER, PATH } from './testing.ts';

const { ChatDisabled, Deactivated, Normal, SharedAccess } = SessionStatus;

for (const SINGLE_SESSION of [true, false])
  describe(`a chat restriction, with SINGLE_SESSION=${SINGLE_SESSION}`, () => {
    const { app, boss, member, sql } = cast({ SINGLE_SESSION });

    type Person = Awaited<ReturnType<typeof member>>;
    const change = async ({ id }: Person, Status: SessionStatus) =>
      (await boss.post(PATH, { UserId: id, Status }).expect(200)).body;
    const logOut = ({ id: accountId }: Person, sessionId: string) =>
      logout(app(), { accountId, sessionId }, ORDER.origin);
    const restricted = async (role: 'User' | 'Guest' = 'User') => {
      const person = await member({ role });
      const { sessionId } = await person.logsIn();
      assert.equal((await change(person, ChatDisabled)).Count, 1);
      return { person, sessionId };
    };
    /** The status of a new session in the database, which is the one that requests and pings see. */
    const statusAfterLogin = async ({ id, logsIn }: Person) => {
      const { sessionId } = await logsIn();
      const reading = await app().sessionCache.read(id, sessionId);
      const statement = 'select status from user_session where id = ?';
      const [row] = await sql<{ status: number }>(statement, [sessionId]);
      assert.equal(reading?.session?.status, row?.status);
      return row?.status;
    };

    /** Ways to end a restricted session, and to come back. */
    const ends: Record<string, (person: Person, sessionId: string) => Promise<unknown>> = {
      'another login': () => Promise.resolve(),
      'a logout': logOut,
      'an administrator’s end of the session': (person) => change(person, Deactivated),
    };
    for (const [name, end] of Object.entries(ends))
      for (const role of ['User', 'Guest'] as const)
        it(`outlasts ${name} of a ${role}`, async () => {
          const { person, sessionId } = await restricted(role);
          await end(person, sessionId);
          for (let time = 0; time < 2; time += 1) assert.equal(await statusAfterLogin(person), ChatDisabled);
        });

    it('begins the history of the new session', async () => {
      const { person } = await restricted();
      const { sessionId } = await person.logsIn();
      const events = 'select status, reason from session_event where session_id = ?';
      assert.deepEqual(await sql(events, [sessionId]), [{ status: ChatDisabled, reason: 'login' }]);
    });

    it('ends when an administrator lifts it', async () => {
      for (const [role, status] of [
        ['User', Normal],
        ['Guest', SharedAccess],
      ] as const) {
        const { person, sessionId } = await restricted(role);
        await logOut(person, sessionId);
        const next = await person.logsIn();
        await change(person, status);
        assert.equal(await statusAfterLogin(person), status);
        await logOut(person, next.sessionId);
        assert.equal(await statusAfterLogin(person), status);
      }
    });

    it('ends with the session if that runs out', async () => {
      const { person, sessionId } = await restricted();
      const statement = `update user_session set last_seen_at = now() - interval '1 day',
        last_pinged_at = null where id = ?`;
      await sql(statement, [sessionId]);
      assert.equal(await statusAfterLogin(person), Normal);
    });
  });
