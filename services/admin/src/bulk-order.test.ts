import assert from 'node:assert/strict';
import { UNPROVEN_MAX } from '@gatehouse/accounts';
import { readTables } from '@gatehouse/accounts/testing';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { routes } from './app.ts';
import { changeMany } from './bulk-order.ts';
import { ORDER, PATH as SESSIONS } from './session/testing.ts';
import { cast } from './testing/cast.ts';

/** What a bulk change could lock. */
const TABLES = 'account user_session invitation content_definition mail_delivery webhook'.split(' ');

const PARKED_MAIL = `insert into mail_delivery (id, kind, account_id, email, event, status, next_try_at, parked_at)
  values (:id, 'new-device', :id, 'x', '{"type":"session.new-device","data":{}}', 'Parked', null, now())`;
const PARKED_HOOK = `insert into hook_delivery (id, webhook_id, event_id, type, body, status, next_try_at, parked_at)
  values (:id, :webhook, :id, 'guest.removed', '{}', 'Parked', null, now())`;

describe('a bulk change', () => {
  const { app, boss, invited, member, newContent, sql } = cast({ SINGLE_SESSION: false });

  const newSessions = async (Status?: number) => {
    const person = await member();
    const [{ sessionId }] = [await person.logsIn(), await person.logsIn()];
    if (Status !== undefined) await boss.post(SESSIONS, { UserId: person.id, Status }).expect(200);
    return { UserId: person.id, SessionId: sessionId };
  };
  const invitation = async (Change: 'delete' | 'resend') => {
    const ContentDefinitionId = await newContent();
    await invited(ContentDefinitionId);
    const disabled = await invited(ContentDefinitionId);
    await disabled.set('is_disabled = true');
    return { Filter: { ContentDefinitionId }, Change };
  };

  /** By path. */
  const changes: Record<string, Record<string, () => Promise<object>>> = {
    '/admin/account/bulk': {
      'of accounts': async () => {
        const { UserId } = await newSessions();
        return { Filter: { Ids: [UserId] }, Change: { IsDisabled: true } };
      },
    },
    '/admin/account/bulk/invite': {
      'that invites the owners of accounts': async () => {
        const { id, set } = await member();
        await set(`signup = 'new', password_hash = null, password_scheme = null`);
        return { Filter: { Ids: [id] } };
      },
    },
    [SESSIONS]: {
      'of one session': async () => ({ SessionId: (await newSessions()).SessionId, Status: 4 }),
      'of an account’s sessions': async () => ({ UserId: (await newSessions()).UserId, Status: 2 }),
      'of sessions that match': async () => {
        const { UserId } = await newSessions();
        return { Filter: { UserId }, Status: 7 };
      },
      'that makes sessions active again': async () => {
        const { UserId } = await newSessions(4);
        return { Filter: { UserId, Status: 4 }, Status: 1 };
      },
      'that deletes a guest’s invitations': async () => {
        const { id } = await invited(await newContent());
        return { UserId: id, Status: 8 };
      },
      'that restores a guest’s invitations': async () => {
        const { id } = await invited(await newContent());
        await boss.post(SESSIONS, { UserId: id, Status: 8 }).expect(200);
        return { UserId: id, Status: 6 };
      },
    },
    '/admin/invitation/bulk': {
      'that deletes invitations': () => invitation('delete'),
      'that resends invitations': () => invitation('resend'),
    },
    '/admin/mail/retry': {
      'of mails': async () => {
        await sql(PARKED_MAIL, { id: newId() });
        return { Filter: { Kind: 'new-device' } };
      },
    },
    '/admin/hook-delivery/retry': {
      'of deliveries': async () => {
        const hook = { Name: 'Hook', Url: 'https://hooks.example.com/', Types: ['*'] };
        const webhook = (await boss.post('/admin/webhook', hook).expect(201)).body.Id;
        await sql(PARKED_HOOK, { id: newId(), webhook });
        return { Filter: { WebhookId: webhook } };
      },
    },
  };

  it('is listed here', () => {
    const bulk = routes.filter(
      ({ body = {} }) => 'properties' in body && 'DryRun' in Object(body.properties),
    );
    assert.deepEqual(new Set(Object.keys(changes)), new Set(bulk.map(({ path }) => path)));
  });

  const each = Object.entries(changes).flatMap(([path, ofPath]) =>
    Object.entries(ofPath).map(([name, prepare]) => ({ path, name, prepare })),
  );
  for (const { path, name, prepare } of each)
    it(`${name} has a dry run that waits for nobody, writes nothing, and says what it then does`, async () => {
      const body = await prepare();
      const before = await readTables(app());
      const trial = await inTransaction(app().db, NO_DEADLINE, async (tx) => {
        for (const table of TABLES) await query(tx, `select id from ${table} for update`);
        return boss.post(path, { ...body, DryRun: true }).expect(200);
      });
      assert.deepEqual(await readTables(app()), before);
      const done = await boss.post(path, body).expect(200);
      assert.deepEqual(withoutTimes(done.body), withoutTimes(trial.body));
      assert.notDeepEqual(await readTables(app()), before);
    });

  it('requires a fresh proof of identity if it is large or sensitive', async () => {
    const person = { kind: 'Account', id: newId() } as const;
    const token = { kind: 'ApiToken', id: newId() } as const;
    for (const [actor, isUnproven, count, isSensitive, isRefused] of [
      [person, true, UNPROVEN_MAX, false, false],
      [person, true, UNPROVEN_MAX + 1, false, true],
      [person, true, 1, true, true],
      [person, false, UNPROVEN_MAX + 1, true, false],
      [token, true, UNPROVEN_MAX + 1, false, false],
      [token, true, 1, true, true],
    ] as const) {
      let made = 0;
      const attempt = (isTrial: boolean) =>
        changeMany(app(), { ...ORDER, actor, isUnproven, isTrial }, 'UserSession', {
          plan: () => Promise.resolve('plan'),
          extent: () => ({ count, isSensitive }),
          make: () => Promise.resolve((made += 1)),
        });
      if (isRefused) await assert.rejects(attempt(false), { code: 'confirmation_required' });
      assert.equal(made, 0);
      // What lacks a fresh proof can be tried out.
      assert.deepEqual(await attempt(true), { plan: 'plan', made: undefined });
      if (!isRefused) assert.deepEqual(await attempt(false), { plan: 'plan', made: 1 });
    }
  });
});

/** An answer without what depends on the time of the call. */
function withoutTimes(answer: object): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value: unknown) =>
      ['EndedAt', 'LastSeenAt', 'ExpiresAt', 'IsOnline'].includes(name) ? undefined : value,
    ),
  );
}
