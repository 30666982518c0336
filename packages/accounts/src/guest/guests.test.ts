import assert from 'node:assert/strict';
import { accounts, BY_PASSWORD, contentDefinitions, query } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { randomFrom } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { acceptInvitation, conditionOf, deleteContent, distinctEmails } from '../index.ts';
import { endAccess, inviteUsers, openSession, removeAccess } from '../index.ts';
import { invitationTokenIn, newContent, openTestAccounts } from '../testing/index.ts';
import { PASSWORD, someEmail, unexpected, type TestAccounts } from '../testing/index.ts';

const ORIGIN = { traceId: 'test', dueAt: Infinity, authentication: BY_PASSWORD };
const SEEDS = [1, 2, 3, 4, 5, 6];
const STEPS = 60;
const SHARER = { id: newId(), account: undefined };

for (const mode of ['expire', 'remove'] as const)
  describe(`guests after any sequence of operations (GUEST_WITHOUT_CONTENT=${mode})`, function () {
    this.timeout(120_000);
    const app = during(() => openTestAccounts({ GUEST_WITHOUT_CONTENT: mode, MAILS_PER_HOUR: 1000 }));

    for (const seed of SEEDS)
      it(`have a live session, and can log in, only while they have access to something (seed ${seed})`, async () => {
        const world = await startWorld(app, seed);
        for (let step = 0; step < STEPS; step += 1) {
          await world.doSomething();
          await world.check();
        }
      });
  });

/** Three emails, three content definitions, and a random sequence of operations on them. */
async function startWorld(app: TestAccounts, seed: number) {
  const { db } = app;
  const random = randomFrom(seed);
  const one = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(random() * list.length)];
    if (found === undefined) throw new Error('nothing to choose from');
    return found;
  };
  const emails = [someEmail(), someEmail(), someEmail()];
  const contents = [await newContent(app), await newContent(app), await newContent(app)];
  const sessions: { email: string; accountId: string; sessionId: string }[] = [];
  const history: string[] = [];

  const invite = async (): Promise<void> => {
    const content = await contentDefinitions.findById(db, one(contents));
    if (content === undefined) return;
    const chosen = emails.filter(() => random() < 0.5);
    const sharer = { ...SHARER, id: newId() };
    const sharing = { content, sharer, emails: distinctEmails(chosen), actor: { kind: 'System' } as const };
    await inviteUsers(app, sharing, ORIGIN, unexpected);
  };
  const accept = async (): Promise<void> => {
    const mails = (await app.mailsTo(one(emails))).filter(({ type }) => type === 'guest.invited');
    if (mails.length === 0) return;
    const token = invitationTokenIn([one(mails)]);
    const given = { token, password: PASSWORD, displayName: 'Gus' };
    const outcomes = await Promise.all([1, 2].map(() => acceptInvitation(app, given, ORIGIN)));
    assert.ok(outcomes.filter(({ kind }) => kind === 'accepted').length <= 1);
  };
  const login = async (): Promise<void> => {
    const email = one(emails);
    const account = await accounts.findByEmailKey(db, email);
    if (account === undefined) return;
    const opening = await openSession(app, account, ORIGIN);
    if (opening.kind === 'opened')
      sessions.push({ email, accountId: account.id, sessionId: opening.sessionId });
  };
  const remove = async (): Promise<void> => {
    const content = await contentDefinitions.findById(db, one(contents));
    if (content === undefined) return;
    const from = { by: 'emails', emails: distinctEmails(emails.filter(() => random() < 0.5)) } as const;
    await removeAccess(app, { content, sharer: SHARER, from, actor: { kind: 'System' } }, ORIGIN);
  };
  const lapse = async (): Promise<void> => {
    const ended = [one(contents)];
    await query(db, 'update content_access set expires_at = now() where content_definition_id = ?', ended);
    const ending =
      'update invitation set access_expires_at = now(), expires_at = now() where content_definition_id = ?';
    await query(db, ending, ended);
    await Promise.all([endAccess(app), invite(), login()]);
    await endAccess(app);
  };
  const replaceContent = async (): Promise<void> => {
    const index = Math.floor(random() * contents.length);
    await deleteContent(app, contents[index] ?? '', { kind: 'System' }, ORIGIN);
    contents[index] = await newContent(app);
  };
  const disturb = async (): Promise<void> => {
    await Promise.all([invite(), remove(), accept(), login()]);
  };
  const deeds = { invite, accept, login, remove, lapse, replaceContent, disturb };
  const weighted = ['invite', 'invite', 'accept', 'accept', 'login', 'login', 'remove', 'disturb'] as const;

  const doSomething = async (): Promise<void> => {
    const chance = random();
    const name = chance < 0.06 ? 'replaceContent' : chance < 0.12 ? 'lapse' : one(weighted);
    history.push(name);
    await deeds[name]();
  };

  const check = async (): Promise<void> => {
    const steps = history.join(' ');
    for (const email of emails) {
      const account = await accounts.findByEmailKey(db, email);
      const sql = 'select 1 from content_access where account_id = ?';
      const hasContent = await query.any(db, sql, [account?.id ?? newId()]);
      if (account !== undefined && conditionOf(account) === undefined) assert.ok(hasContent, steps);
    }
    for (const { email, accountId, sessionId } of sessions) {
      const reading = await app.sessionCache.read(accountId, sessionId);
      const isLive = reading?.session.status === 5;
      const account = await accounts.findByEmailKey(db, email);
      if (isLive) assert.ok(account?.id === accountId && conditionOf(account) === undefined, steps);
    }
    const staleGuests = `select 1 from invitation i join account a on a.id = i.account_id
       where i.accepted_at is null and i.deleted_at is null and a.signup = 'complete'`;
    const [stale] = await query(db, staleGuests);
    assert.equal(stale, undefined, steps);
  };
  return { doSomething, check };
}
