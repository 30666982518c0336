import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readTables, someEmail, atOnce, statusesOf } from '@gatehouse/accounts/testing';
import { mailDeliveries, query } from '@gatehouse/db';
import { claimMail, insertRow } from '@gatehouse/db/testing';
import { mailKinds, newMailEvent } from '@gatehouse/events';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast, problem } from '../testing/cast.ts';
import type { TestAdmin } from '../testing/index.ts';

const PATH = '/admin/mail';

type Recorded = Pick<Parameters<typeof mailDeliveries.record>[1], 'event' | 'codeId'>;

describe('/admin/mail', () => {
  const { admin, app, boss, history, member, sql } = cast({});

  /** Records and claims the mail of a code like the mail worker. */
  const recorded = async (email = someEmail()) => {
    const { id: accountId } = await member({ email });
    await boss.post(`/admin/account/${accountId}/reset-password`).expect(200);
    const statement = `select event, account_code.id as "codeId"
      from outbox join account_code on event -> 'data' ->> 'UserId' = account_id::text where account_id = ?`;
    const { event, codeId } = await query.only<Recorded>(app().db, statement, [accountId]);
    await mailDeliveries.record(app().db, { event, kind: 'password-reset', accountId, email, codeId });
    const hold = (await claimMail(app().db, event.id)) ?? assert.fail();
    return { id: event.id, accountId, email, hold, traceId: event.traceid };
  };
  const parked = async () => {
    const mail = await recorded();
    await mailDeliveries.park(app().db, mail.hold, '550 no such mailbox');
    return mail;
  };
  const retry = (id: string) => boss.post(`${PATH}/${id}/retry`);

  it('shows the status of a mail, without its content', async () => {
    const mail = await recorded('Mixed.Case@example.com');
    const pending = await boss.get(`${PATH}/${mail.id}`).expect(200);
    const { CreatedAt, NextTryAt, ...rest } = pending.body;
    assert.deepEqual(rest, {
      ...{ Id: mail.id, Kind: 'password-reset', Email: 'Mixed.Case@example.com', TraceId: mail.traceId },
      ...{ Status: 'Pending', Tries: 1, LastError: null, SentAt: null, ParkedAt: null },
    });
    for (const at of [CreatedAt, NextTryAt]) assert.match(at, /^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/);

    const { hold } = mail;
    await mailDeliveries.markRetry(app().db, hold, { afterSeconds: 60, error: '450 busy' });
    const retrying = await boss.read(`${PATH}/${mail.id}`);
    assert.deepEqual([retrying.Status, retrying.Tries, retrying.LastError], ['Retrying', 1, '450 busy']);
    assert.ok(Date.parse(retrying.NextTryAt) > Date.now() + 30_000);

    await mailDeliveries.markSent(app().db, hold);
    const sent = await boss.read(`${PATH}/${mail.id}`);
    assert.deepEqual([sent.Status, sent.LastError, sent.NextTryAt], ['Sent', null, null]);
    assert.ok(Math.abs(Date.parse(sent.SentAt) - Date.now()) < 30_000);
  });

  it('retries a parked mail at once, with a new count of attempts, and ignores the claim from before', async () => {
    const mail = await parked();
    const { body } = await retry(mail.id).expect(200);
    assert.deepEqual([body.Id, body.Status, body.Tries], [mail.id, 'Retrying', 0]);
    assert.equal(body.LastError, '550 no such mailbox');
    const again = (await claimMail(app().db, mail.id)) ?? assert.fail();
    assert.equal(again.tries, 1);
    assert.ok(again.ageSeconds < 30 && again.hold > 1);
    await mailDeliveries.park(app().db, mail.hold, 'too late');
    assert.equal((await boss.read(`${PATH}/${mail.id}`)).Status, 'Retrying');
  });

  it('retries once for concurrent administrators, and records it', async () => {
    const mail = await parked();
    const answers = await atOnce(5, () => retry(mail.id));
    assert.deepEqual(statusesOf(answers), [200, 409, 409, 409, 409]);
    const details = { Kind: 'password-reset', UserId: mail.accountId };
    const entries = await history({ action: 'mail.retried', targetId: mail.id }, 'actorId', 'details');
    assert.deepEqual(entries, [[boss.id, details]]);
  });

  it('does not retry mails in progress or sent', async () => {
    const mail = await recorded();
    await retry(mail.id).expect(problem('conflict'));
    const { hold } = mail;
    await mailDeliveries.markRetry(app().db, hold, { afterSeconds: 60, error: 'x' });
    await retry(mail.id).expect(409);
    await mailDeliveries.markSent(app().db, hold);
    assert.match((await retry(mail.id).expect(409)).body.detail, /Sent/);
  });

  it('does not retry an invalid code, and reports it', async () => {
    const mail = await parked();
    await sql('update account_code set tries_left = 0 where account_id = ?', [mail.accountId]);
    const { body } = await retry(mail.id).expect(problem('conflict'));
    assert.match(body.detail, /code is no longer valid/);
    assert.equal((await boss.get(`${PATH}/${mail.id}`)).body.Status, 'Parked');
  });

  it('does not retry an invalid restore link, and reports it', async () => {
    for (const [what, change] of [
      ['the account was restored', 'restored_at = now(), restore_hash = null'],
      ['an administrator has ordered the erasure', 'restore_hash = null'],
      ['the erasure has begun', `counts = '{}'`],
      ['it is of an earlier erasure', `erases_at = erases_at - interval '1 minute'`],
    ] as const) {
      const { id, accountId } = await parkErasureMail(admin(), 'owner');
      await sql(`update erasure set ${change} where account_id = ?`, [accountId]);
      const { body } = await retry(id).expect(409);
      assert.match(body.detail, /restore link is no longer valid/, what);
    }
  });

  it('retries a valid restore link, and the mail about an administrator’s order, which has none', async () => {
    for (const by of ['owner', 'administrator'] as const) {
      const { id } = await parkErasureMail(admin(), by);
      assert.equal((await retry(id).expect(200)).body.Status, 'Retrying', by);
    }
  });
});

describe('mail previews and test mails', () => {
  const { app, boss, mailsTo, newToken, post } = cast();

  const preview = (kind: string, search = '') => boss.get(`/admin/mail-template/${kind}${search}`);

  it('are available for every kind, with sample data, without effect', async () => {
    const before = await readTables(app());
    for (const kind of mailKinds) {
      const { Subject, Text, Html } = (await preview(kind).expect(200)).body;
      assert.ok(Subject.length > 5 && Text.includes('\n') && Html.startsWith('<!doctype html>'), kind);
      assert.ok(!`${Text}${Html}`.includes(boss.email) && !`${Text}${Html}`.includes(boss.Token));
    }
    assert.deepEqual(await readTables(app()), before);
  });

  it('are shown as they look, in a page that can run and load nothing', async () => {
    for (const kind of mailKinds) {
      const { headers, text } = await preview(`${kind}/page`, '?locale=de').expect(200);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'",
      );
      assert.ok(text.startsWith('<!doctype html>') && !text.includes('cid:'), kind);
      assert.match(text, /src="data:image\/png;base64,/);
    }
  });

  it('are available in other languages, with English as fallback', async () => {
    const subject = async (search: string) => (await preview('test', search).expect(200)).body.Subject;
    assert.equal(await subject('?locale=de-AT'), 'Test der E-Mail-Zustellung');
    assert.equal(await subject('?locale=tlh'), await subject(''));
    await preview('no-such-kind').expect(400);
  });

  it('are sent to one address, a few per hour', async () => {
    const email = someEmail();
    const send = () => boss.post('/admin/mail/test', { Email: email });
    const { Id } = (await send().expect(202)).body;
    const [mail] = await mailsTo(email);
    assert.equal(mail?.type, 'mail.test-requested');
    assert.equal(mail?.content.Locale, 'en');
    const { Items } = await boss.read(`/admin/audit?targetId=${Id}`);
    assert.deepEqual([Items[0].Action, Items[0].ActorId, Items[0].Details], ['mail.test-sent', boss.id, {}]);
    for (let time = 2; time <= 5; time += 1) await send().expect(202);
    const refused = await send().expect(429);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal((await mailsTo(email)).length, 5);
    await post('/admin/mail/test', await newToken({ role: 'Admin' }), { Email: someEmail() }).expect(202);
    await boss.post('/admin/mail/test', { Email: 'a@example.com, b@example.com' }).expect(400);
  });
});

/** The mail about an erasure, parked: with a link that cancels it, unless an administrator requested it. */
async function parkErasureMail(admin: TestAdmin, by: 'owner' | 'administrator') {
  const { id: accountId, email } = await admin.newAccount();
  const { db, seal } = admin.app;
  const [restoreHash, askedBy] = by === 'owner' ? [randomBytes(32), accountId] : [null, newId()];
  const ErasesAt = new Date(Date.now() + 86_400_000).toISOString();
  const order = { id: newId(), accountId, askedByKind: 'Account', askedBy, restoreHash };
  await insertRow(db, 'erasure', { ...order, erasesAt: ErasesAt });
  const facts = { UserId: accountId, ErasesAt, ChangedBy: askedBy };
  const link = by === 'owner' ? { RestoreCode: 'x'.repeat(43) } : {};
  const content = { Email: email, Locale: 'en', ErasesAt, At: ErasesAt, ...link };
  const event = newMailEvent(seal, 'account.erasure-scheduled', facts, content);
  const fault = '550 no such mailbox';
  await mailDeliveries.record(db, { event, kind: 'erasure-scheduled', accountId, email, fault });
  return { id: event.id, accountId };
}

const LEFT = `insert into mail_delivery (
    id, kind, account_id, email, code_id, event, status, tries, last_error, next_try_at, created_at)
  values (
    :id, :kind, :accountId, :email, cast(:codeId as uuid), '{"type":"session.new-device","data":{}}', :status, 12, :error,
    case when :status in ('Pending', 'Retrying') then now() + interval '1 hour' end, :at)`;

describe('POST /admin/mail/retry', () => {
  const { boss, history, sql } = cast({});
  beforeEach(() => sql('delete from mail_delivery'));

  /** A mail as the mail worker has left it; `codeId` is the id of a code that never existed. */
  const left = async (
    given: Partial<Record<'status' | 'kind' | 'email' | 'error' | 'at' | 'codeId', string>> = {},
  ): Promise<string> => {
    const usual = { status: 'Parked', kind: 'new-device', email: someEmail(), error: '550 no such mailbox' };
    const [id, at] = [newId(), new Date().toISOString()];
    await sql(LEFT, { ...usual, at, codeId: null, ...given, id, accountId: newId() });
    return id;
  };
  const retry = async (Filter: object, DryRun = false) =>
    (await boss.post(`${PATH}/retry`, { Filter, DryRun }).expect(200)).body;
  const statusOf = async (id: string) => (await boss.read(`${PATH}/${id}`)).Status as string;

  it('retries parked mails that match, once, and records each', async () => {
    const [one, other] = [await left(), await left()];
    const [sent, waiting] = [await left({ status: 'Sent' }), await left({ status: 'Retrying' })];
    assert.deepEqual(await retry({ Error: 'NO SUCH' }), { Count: 2, Skipped: 0 });
    const shown = await Promise.all([one, other, sent, waiting].map(statusOf));
    assert.deepEqual(shown, ['Retrying', 'Retrying', 'Sent', 'Retrying']);
    const isDue =
      "select id from mail_delivery where status = 'Retrying' and next_try_at <= now() order by id";
    assert.deepEqual(fieldsOf(await sql<{ id: string }>(isDue), 'id'), [one, other]);
    const recorded = await history({ action: 'mail.retried' }, 'targetId');
    assert.deepEqual(new Set(recorded), new Set([one, other]));
    assert.deepEqual(await retry({ Error: 'no such' }), { Count: 0, Skipped: 0 });
  });

  it('filters by kind, email, time and part of the error', async () => {
    const email = someEmail();
    await left({ kind: 'password-changed' });
    await left({ email: email.toUpperCase() });
    await left({ at: '2026-01-01T12:00:00Z', error: '100% refused_here' });
    const count = async (filter: object) => (await retry(filter, true)).Count;
    assert.equal(await count({ Kind: 'Password-Changed' }), 1);
    assert.equal(await count({ Email: email }), 1);
    assert.equal(await count({ From: '2026-01-01T12:00:00Z', To: '2026-01-01T12:00:01Z' }), 1);
    assert.equal(await count({ To: '2026-01-01T12:00:00Z' }), 0);
    assert.equal(await count({ Error: '100% refused_' }), 1);
    assert.equal(await count({ Error: '1__% ' }), 0);
    assert.equal(await count({ From: '2020-01-01T00:00:00Z' }), 3);
    assert.equal(await count({ From: '2020-01-01T00:00:00Z', Kind: 'password-changed', Email: email }), 0);
  });

  it('skips mails with an invalid code or invitation', async () => {
    const dead = await left({ kind: 'verification-code', codeId: newId() });
    const uninvited = await left({ kind: 'invitation' });
    const living = await left();
    assert.deepEqual(await retry({ Error: '550' }), { Count: 1, Skipped: 2 });
    const shown = await Promise.all([dead, uninvited, living].map(statusOf));
    assert.deepEqual(shown, ['Parked', 'Parked', 'Retrying']);
  });

  it('retries each mail once with concurrent administrators', async () => {
    for (let index = 0; index < 20; index += 1) await left();
    const counts = await atOnce(4, async () => (await retry({ Error: '550' })).Count);
    const shown = counts.reduce((sum, count) => sum + count, 0);
    assert.equal(shown, 20);
  });
});
