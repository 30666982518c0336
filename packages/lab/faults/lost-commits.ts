import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually, isCommitted, type Verdict } from '@gatehouse/runtime/testing';
import { withDb } from '../database.ts';
import type { Outcome } from '../one-call.ts';
import type { FaultWorld } from './fault-world.ts';
import { clientOf } from './client.ts';
import type { Stage } from './run-fault.ts';

/** Clients repeat a request if they do not learn that it succeeded. */
export function survivesLostCommits(stage: Stage): void {
  for (const [how, verdict] of [
    ['breaks', 'cut'],
    ['falls silent', 'hold'],
  ] as const) {
    it(`a connection to Postgres ${how} between each COMMIT and its answer: one account, one mail, one invitation`, async () => {
      const { world } = stage;
      const client = clientOf(world);
      const [email, guest] = [someEmail(), someEmail()];
      const { user } = world.stack.facts.seed;
      const owner = String((await client.login(user.Email, user.Password)).body['Token']);
      const content = world.stack.facts.seed.contentDefinitionId;

      await retried(world, verdict, () => client.register(email));
      await retried(world, verdict, () => client.invite(owner, guest, content));
      const code = await client.mailedCode(email);
      await retried(world, verdict, () => client.verify(email, code));
      const opened = await retried(world, verdict, () => client.login(email));
      assert.equal((await client.ping(String(opened.body['Token']))).body['PingStatus'], 1);

      assert.deepEqual(await countsOf(world, [email, guest]), { accounts: 2, sessions: 1, invitations: 1 });
      for (const address of [email, guest]) {
        await eventually(() => world.sink.mailsTo(address).length > 0);
      }
      await pause(1500);
      for (const address of [email, guest]) assert.equal(world.sink.mailsTo(address).length, 1, 'mails');
    });
  }
}

/**
 * Repeats the call until it is answered 200, as a client would. During the first try every reply to a COMMIT is lost.
 */
async function retried(world: FaultWorld, verdict: Verdict, step: () => Promise<Outcome>): Promise<Outcome> {
  const { postgres } = world.proxies;
  let lost = 0;
  postgres.tap = ({ direction, frame }) => {
    if (direction !== 'down' || !isCommitted(frame)) return 'pass';
    lost += 1;
    return verdict;
  };
  const first = await step();
  await postgres.heal();
  assert.ok(lost > 0, 'an answer was lost');
  assert.ok(first.milliseconds < 5000, `${first.milliseconds} ms`);
  if (first.status === 200) return first;
  assert.equal(first.status, 503);
  return eventually(async () => {
    const next = await step();
    return next.status === 200 && next;
  });
}

async function countsOf(world: FaultWorld, emails: string[]): Promise<Record<string, number>> {
  const counts = `select count(distinct account.id)::int as accounts,
       (select count(*)::int from user_session where account_id = any(array_agg(account.id)) and status = 1) as sessions,
       (select count(*)::int from invitation where account_id = any(array_agg(account.id))) as invitations
     from account
     where email_key = any(?)`;
  const [row] = await withDb(world.stack.facts.databaseUrl, (db) =>
    query<Record<string, number>>(db, counts, [emails]),
  );
  return row ?? {};
}
