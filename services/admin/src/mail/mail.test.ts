import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { mailDeliveries, query } from '@gatehouse/db';

import type { Who } from '@gatehouse/http/testing';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';
import { recordMail } from './testing.ts';

const PATH = '/admin/mail';

describe('/admin/mail', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const recorded = (email?: string) => recordMail(admin, email);
  const parked = async () => {
    const mail = await recorded();
    await mailDeliveries.park(admin.app.db, mail.hold, '550 no such mailbox');
    return mail;
  };
  const list = async (filter: string) => (await admin.get(`${PATH}?${filter}`, token).expect(200)).body;
  const retry = (id: string, who: Who = token) => admin.post(`${PATH}/${id}/retry`, who);

  it('shows the status of a mail, without its content', async () => {
    const mail = await recorded('Mixed.Case@example.com');
    const pending = await admin.get(`${PATH}/${mail.id}`, token).expect(200);
    const { CreatedAt, NextTryAt, ...rest } = pending.body;
    assert.deepEqual(rest, {
      Id: mail.id,
      Kind: 'verification-code',
      Email: 'Mixed.Case@example.com',
      Status: 'Pending',
      Tries: 1,
      LastError: null,
      SentAt: null,
      ParkedAt: null,
      TraceId: 'x',
    });
    for (const at of [CreatedAt, NextTryAt]) assert.match(at, /^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/);

    const { hold } = mail;
    await mailDeliveries.markRetry(admin.app.db, hold, { afterSeconds: 60, error: '450 busy' });
    const retrying = (await admin.get(`${PATH}/${mail.id}`, token).expect(200)).body;
    assert.deepEqual([retrying.Status, retrying.Tries, retrying.LastError], ['Retrying', 1, '450 busy']);
    assert.ok(Date.parse(retrying.NextTryAt) > Date.now() + 30_000);

    await mailDeliveries.markSent(admin.app.db, hold);
    const sent = (await admin.get(`${PATH}/${mail.id}`, token).expect(200)).body;
    assert.deepEqual([sent.Status, sent.LastError, sent.NextTryAt], ['Sent', null, null]);
    assert.ok(Math.abs(Date.parse(sent.SentAt) - Date.now()) < 30_000);
  });

  it('deletes the encrypted content of sent mails', async () => {
    const mail = await recorded();
    await mailDeliveries.markSent(admin.app.db, mail.hold);
    const [row] = await query<{ event: { data: object } }>(
      admin.app.db,
      'select event from mail_delivery where id = ?',
      [mail.id],
    );
    assert.deepEqual(row?.event.data, { UserId: mail.accountId });
  });

  it('lists newest first, by status and by email in any case', async () => {
    const [first, second, third] = [await parked(), await recorded(), await parked()];
    const ids = async (filter: string) =>
      ((await list(filter)).Items as { Id: string }[]).map(({ Id }) => Id);
    assert.deepEqual((await ids('')).slice(0, 3), [third.id, second.id, first.id]);
    assert.deepEqual((await ids('status=Parked')).slice(0, 2), [third.id, first.id]);
    assert.ok(!(await ids('status=Sent')).includes(second.id));
    const email = encodeURIComponent(second.email.toUpperCase());
    assert.deepEqual(await ids(`email=${email}`), [second.id]);
    assert.deepEqual(await ids(`email=${email}&status=Pending`), [second.id]);
    assert.deepEqual(await ids(`email=${email}&status=Parked`), []);
    assert.deepEqual(await ids(`email=${encodeURIComponent(someEmail())}`), []);
  });

  it('lists the mails of one request', async () => {
    const [traceId, mail] = [newId().replaceAll('-', ''), await parked()];
    await recorded();
    await query(admin.app.db, 'update mail_delivery set trace_id = ? where id = ?', [traceId, mail.id]);
    const { Items, Count } = await list(`traceId=${traceId}&count=true`);
    assert.deepEqual([Items.length, Items[0].Id, Items[0].TraceId, Count], [1, mail.id, traceId, 1]);
    assert.deepEqual((await list(`traceId=${traceId}&status=Parked`)).Items.length, 1);
    assert.deepEqual((await list(`traceId=${traceId}&status=Sent`)).Items, []);
  });

  it('lists what was sent or parked within a time, until it is retried', async () => {
    const [sent, given, waiting] = [await recorded(), await parked(), await recorded()];
    await mailDeliveries.markSent(admin.app.db, sent.hold);
    // Sent and parked long after they were recorded.
    await query(
      admin.app.db,
      `update mail_delivery set created_at = now() - interval '1 day', sent_at = sent_at + interval '2 days',
         parked_at = parked_at + interval '2 days'
       where id = any(?)`,
      [[sent.id, given.id, waiting.id]],
    );
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const within = async (from: number, to: number, more = '') =>
      (await list(`finishedFrom=${day(from)}&finishedTo=${day(to)}&count=true${more}`)) as {
        Items: { Id: string; ParkedAt: string | null }[];
        Count: number;
      };
    const found = await within(1.9, 2.1);
    assert.deepEqual([found.Items.map(({ Id }) => Id), found.Count], [[given.id, sent.id], 2]);
    assert.equal(found.Items[0]?.ParkedAt?.slice(0, 10), day(2).slice(0, 10));
    assert.deepEqual((await within(2.1, 3)).Items, []);
    assert.deepEqual((await within(1, 1.9)).Items, []);
    assert.equal((await within(1.9, 2.1, '&status=Sent')).Items[0]?.Id, sent.id);
    await retry(given.id).expect(200);
    assert.equal((await within(1.9, 2.1)).Count, 1);
  });

  it('pages through all, each once, independent of new mails', async () => {
    for (let index = 0; index < 5; index += 1) await recorded();
    const seen: string[] = [];
    let cursor = '';
    do {
      const { Items, NextCursor } = await list(`limit=2&status=Pending${cursor}`);
      seen.push(...Items.map((item: { Id: string }) => item.Id));
      if (seen.length === 2) await recorded();
      cursor = NextCursor === undefined ? '' : `&cursor=${NextCursor}`;
    } while (cursor !== '');
    assert.ok(seen.length >= 5);
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(seen, seen.toSorted().toReversed());
  });

  for (const filter of [
    'status=sending',
    'Status=Parked',
    'status=',
    'status=4',
    'email=x',
    'email=',
    'traceId=',
    'finishedFrom=yesterday',
    'finishedTo=2026-06-30T23:59:60Z',
    'limit=0',
    'cursor=x',
  ]) {
    it(`refuses ?${filter}`, async () => {
      const { body } = await admin.get(`${PATH}?${filter}`, token).expect(400);
      assert.equal(body.errors[0].pointer, `/query/${filter.split('=')[0]}`);
    });
  }

  it('responds with 404 for an unknown id', async () => {
    await retry(newId()).expect(404);
    await admin.get(`${PATH}/${newId()}`, token).expect(404);
    await retry('x').expect(400);
    await admin.get(`${PATH}/x`, token).expect(400);
  });

  it('uses an index for every filter', async () => {
    await query(
      admin.app.db,
      `insert into mail_delivery (id, kind, account_id, email, event, status, next_try_at, sent_at, trace_id)
       select gen_random_uuid(), 'invitation', gen_random_uuid(), 'm' || n || '@example.com', '{}', 'Sent', null,
         now() - n * interval '1 minute', md5(n::text)
       from generate_series(1, 8000) n`,
    );
    await query(admin.app.db, 'analyze mail_delivery');
    for (const where of [
      "status = 'Parked'",
      "lower(email) = 'm7@example.com'",
      `trace_id = '${'0'.repeat(32)}'`,
      "coalesce(sent_at, parked_at) >= now() - interval '3 hours' and coalesce(sent_at, parked_at) < now()",
      'true',
    ]) {
      const plan = await query<Record<string, string>>(
        admin.app.db,
        `explain select id from mail_delivery where ${where} order by id desc limit 51`,
      );
      assert.doesNotMatch(plan.map((row) => row['QUERY PLAN']).join('\n'), /Seq Scan/);
    }
  });
});
