import assert from 'node:assert/strict';
import { activity, mailDeliveries, query } from '@gatehouse/db';
import { duringEach, eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { createMetrics } from '@gatehouse/runtime';
import { UNREACHABLE, waitAfter } from './deliver-mail.ts';
import { startTestMailWorker, startSink } from './testing/index.ts';

describe('the mail worker', () => {
  const rig = duringEach(startTestMailWorker);

  const record = async ({ event, accountId, email }: Awaited<ReturnType<typeof rig.send>>) =>
    void (await mailDeliveries.record(rig.db, { event, kind: 'verification-code', accountId, email }));

  /** Lets the mail server answer no mail, or none to such an address, before it is told to. */
  const holds = (prefix = '') => {
    let release: () => void = () => {};
    rig.sink.answerToMail = ({ to }) =>
      to[0]?.startsWith(prefix) === true
        ? new Promise((resolve) => (release = () => resolve(undefined)))
        : undefined;
    return () => release();
  };
  const told = () => rig.lines.filter((line) => JSON.stringify(line).includes('refuses our emails'));

  it('sends committed mails once, and empties the outbox', async () => {
    await rig.startWorker();
    const mail = await rig.send({ traceId: 'trace-1' });
    await rig.hasStatus(mail.id, 'Sent');
    const [sent] = rig.mailsTo(mail.email);
    assert.match(String(sent?.raw), new RegExp(`^Message-ID: <${mail.id}@gatehouse.example>`, 'm'));
    assert.match(String(sent?.raw), /^Auto-Submitted: auto-generated/m);
    assert.match(String(sent?.raw), /^X-Trace-Id: trace-1/im);
    assert.match(String(sent?.raw), /^ABCD-1234\r?$/m);
    assert.deepEqual(await query(rig.db, 'select 1 from outbox'), []);
    await rig.publish(mail.event);
    await eventually(async () => (await query(rig.db, 'select 1 from outbox')).length === 0);
    const later = await rig.send();
    await rig.hasStatus(later.id, 'Sent');
    assert.equal(rig.mailsTo(mail.email).length, 1);
  });

  it('retries after a 4xx, without delaying others', async () => {
    await rig.startWorker();
    let isBusy = true;
    rig.sink.answerTo = (address) => (address.startsWith('busy') && isBusy ? '450 mailbox busy' : undefined);
    const busy = await rig.send({ email: 'busy@example.com' });
    const other = await rig.send();
    await rig.hasStatus(other.id, 'Sent');
    const row = await rig.hasStatus(busy.id, 'Retrying');
    assert.match(String(row['last_error']), /450 mailbox busy/);
    isBusy = false;
    await rig.dueAgain(busy.id);
    await rig.hasStatus(busy.id, 'Sent');
    assert.equal(rig.mailsTo(busy.email).length, 1);
  });

  it('parks a mail refused with 5xx at once, with the reason, but not a code that is quoted in it', async () => {
    await rig.startWorker();
    rig.sink.answerToMail = ({ raw }) => `550 looks like spam: ${raw.slice(raw.indexOf('ABCD-1234'))}`;
    const mail = await rig.send();
    const { tries, last_error: reason } = await rig.hasStatus(mail.id, 'Parked');
    assert.equal(tries, 1);
    assert.match(String(reason), /550 looks like spam: \[redacted\]/);
    assert.doesNotMatch(String(reason), /ABCD/);
  });

  it('does not delay others by a mail that the mail server does not answer', async () => {
    await rig.startWorker();
    const release = holds('silent');
    const silent = await rig.send({ email: 'silent@example.com' });
    await eventually(async () => (await rig.delivery(silent.id))['tries'] === 1);
    const others = await Promise.all(Array.from({ length: 5 }, () => rig.send()));
    for (const { id } of others) await rig.hasStatus(id, 'Sent');
    assert.equal((await rig.delivery(silent.id))['status'], 'Pending');
    release();
    await rig.hasStatus(silent.id, 'Sent');
  });

  it('stops sending while the mail server refuses our sender, and then sends each mail once', async () => {
    let atMs = 0;
    const worker = await rig.startWorker({ now: () => atMs });
    let asked = 0;
    let isRefused = true;
    rig.sink.answerToSender = () => {
      asked += 1;
      return isRefused ? '553 5.7.1 Sender address rejected: not owned by user' : undefined;
    };
    const first = await rig.send();
    const { last_error: error } = await rig.hasStatus(first.id, 'Retrying');
    assert.match(String(error), /refuses our emails: .*not owned by user/);
    const others = await Promise.all(Array.from({ length: 10 }, () => rig.send()));
    await eventually(async () => (await query(rig.db, 'select 1 from mail_delivery')).length === 11);
    await worker.probe();
    assert.equal(asked, 1, 'none is tried during the pause');
    isRefused = false;
    atMs = 10_000;
    for (const { id } of others) await rig.hasStatus(id, 'Sent');
    await worker.probe();
    await rig.hasStatus(first.id, 'Sent');
    assert.equal(rig.sink.mails.length, 11);
  });

  it('does not stop for an address that a rule of the mail server refuses, unless no other is accepted', async () => {
    await rig.startWorker({ now: () => 0 });
    rig.sink.answerTo = (address) =>
      address.startsWith('far') ? '554 5.7.1 Relay access denied' : undefined;
    for (let turn = 0; turn < 6; turn += 1) {
      const far = await rig.send({ email: `far${turn}@example.com` });
      await rig.hasStatus(far.id, 'Retrying');
      if (turn < 3) await rig.hasStatus((await rig.send()).id, 'Sent');
    }
    await eventually(() => told().length === 1);
    const later = await rig.send();
    await eventually(async () => (await rig.delivery(later.id))['status'] === 'Pending');
    assert.equal((await rig.delivery(later.id))['tries'], 0);
    assert.equal(told().length, 1);
  });

  it('begins no second pause for mails that were on their way when the first began', async () => {
    let atMs = 0;
    await rig.startWorker({ now: () => atMs });
    const refusal = '554 5.7.1 Relay access denied';
    const releases: (() => void)[] = [];
    rig.sink.answerToMail = () => new Promise((resolve) => releases.push(() => resolve(refusal)));
    const slow = await Promise.all([rig.send(), rig.send(), rig.send()]);
    await eventually(() => releases.length === slow.length);
    rig.sink.answerToMail = () => refusal;
    await Promise.all([rig.send(), rig.send(), rig.send()]);
    await eventually(() => told().length === 1);
    atMs += 10_000;
    for (const release of releases) release();
    for (const { id } of slow) await rig.hasStatus(id, 'Retrying');
    rig.sink.answerToMail = () => undefined;
    await rig.hasStatus((await rig.send()).id, 'Sent');
    assert.equal(told().length, 1);
  });

  for (const [which, tries] of [
    ['new', 0],
    ['tried', 1],
  ] as const)
    it(`sends what waits behind many ${which} mails whose recipients are refused after one pause, of 30 s at most`, async () => {
      let atMs = 0;
      await rig.startWorker({ now: () => atMs });
      rig.sink.answerTo = (address) =>
        address.startsWith('far') ? '554 5.7.1 Relay access denied' : undefined;
      for (let turn = 0; turn < 40; turn += 1)
        await record(await rig.send({ email: `far${turn}@example.com`, isPublished: false }));
      const age = `update mail_delivery set tries = ?, next_try_at = now() - interval '1 hour'`;
      if (tries > 0) await query(rig.db, age, [tries]);
      const pausesBefore = tries > 0 ? 5 : 1;
      for (let pauses = 1; pauses <= pausesBefore; pauses += 1) {
        await eventually(() => told().length === pauses);
        if (pauses < pausesBefore) atMs += 30_000;
      }
      const good = await rig.send();
      await eventually(async () => (await rig.delivery(good.id))['status'] === 'Pending');
      atMs += 30_000;
      await rig.hasStatus(good.id, 'Sent');
      assert.equal(told().length, pausesBefore);
    });

  it('sends any number of mails that waited for the mail server', async () => {
    const { port } = rig.sink;
    await rig.sink.close();
    const worker = await rig.startWorker();
    const first = await rig.send();
    await rig.hasStatus(first.id, 'Retrying');
    await worker.probe();
    const mails = await Promise.all(Array.from({ length: 250 }, () => rig.send({ isPublished: false })));
    for (const one of mails) await record(one);
    const sql = `update mail_delivery
       set status = 'Retrying', next_try_at = now() + interval '5 minutes', claimed_until = null, last_error = ?`;
    await query(rig.db, sql, [UNREACHABLE]);
    rig.sink = await startSink(port);
    await eventually(async () => {
      await worker.probe();
      return rig.sink.mails.length === 251;
    });
  });

  it('finishes mails in progress before it closes, and begins no others', async () => {
    const worker = await rig.startWorker();
    const release = holds();
    const mail = await rig.send();
    await eventually(async () => (await rig.delivery(mail.id))['tries'] === 1);
    const closed = worker.close();
    const late = await rig.send({ isPublished: false });
    await record(late);
    await eventually(() => {
      release();
      return rig.mailsTo(mail.email).length === 1;
    });
    await closed;
    assert.equal((await rig.delivery(mail.id))['status'], 'Sent');
    assert.equal((await rig.delivery(late.id))['tries'], 0);
  });

  it('reports how many mails wait', async () => {
    const metrics = createMetrics('mail-worker');
    const worker = await rig.startWorker({ metrics });
    rig.sink.answerTo = () => '450 busy';
    const mail = await rig.send();
    await rig.hasStatus(mail.id, 'Retrying');
    await worker.countWaiting();
    const shown = async (name: string) => (await metrics.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
    assert.equal(await shown('gatehouse_mails_waiting'), 1);
    assert.ok((await shown('gatehouse_mails_oldest_seconds')) > 0);
  });

  it('counts sent and parked mails', async () => {
    rig.sink.answerTo = (address) => (address === 'none@example.com' ? '550 no such mailbox' : undefined);
    await rig.startWorker();
    await rig.send();
    await rig.send({ email: 'none@example.com' });
    // A mail is counted after its row has been written.
    await eventually(async () => {
      await rig.activity.flush((counts) => activity.add(rig.db, counts));
      const sums = await activity.findSums(rig.db, { from: new Date(0), to: new Date(), interval: 'day' });
      assert.deepEqual(fieldsOf(sums, 'kind', 'count'), [
        ['mail.parked', 1],
        ['mail.sent', 1],
      ]);
      return true;
    });
  });

  it('neither sends nor records mails to an account that was erased, even if queued', async () => {
    const mail = await rig.send();
    const sql = `insert into erasure (id, account_id, asked_by_kind, erases_at) values (gen_random_uuid(), ?, 'System', now())`;
    await query(rig.db, sql, [mail.accountId]);
    await query(rig.db, 'update erasure set erased_at = now()');
    await rig.startWorker();
    await eventually(async () => (await query(rig.db, 'select 1 from outbox')).length === 0);
    assert.deepEqual(await query(rig.db, 'select id from mail_delivery'), []);
    assert.deepEqual(rig.mailsTo(mail.email), []);
  });

  it('parks and records mails encrypted with another key', async () => {
    await rig.startWorker();
    const mail = await rig.send({ isPublished: false });
    const changed = { ...mail.event, data: { UserId: mail.accountId, Mail: 'AQAAAA' } };
    await rig.publish(changed);
    assert.match(String((await rig.hasStatus(mail.id, 'Parked'))['last_error']), /another MAIL_KEY/);
  });

  it('marks a mail as sent even if Postgres fails at that moment', async () => {
    await rig.startWorker();
    const release = holds();
    const mail = await rig.send();
    await eventually(async () => (await rig.delivery(mail.id))['tries'] === 1);
    await query(rig.db, 'alter table mail_delivery rename to hidden');
    await eventually(() => {
      release();
      return rig.mailsTo(mail.email).length === 1;
    });
    await query(rig.db, 'alter table hidden rename to mail_delivery');
    await rig.hasStatus(mail.id, 'Sent');
    assert.equal(rig.mailsTo(mail.email).length, 1);
  });
});

const HOUR = 3600;

describe('waitAfter', () => {
  const first = { tries: 1, ageSeconds: 0 };

  it('waits longer each time, spread over a quarter', () => {
    const longest = Array.from({ length: 12 }, (_, index) =>
      waitAfter('deferred', { tries: index + 1, ageSeconds: 0 }, () => 1),
    );
    assert.deepEqual(longest, [10, 30, 60, 120, 300, 600, 1200, 1800, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR]);
    const least = waitAfter('deferred', first, () => 0);
    assert.equal(least, 7.5);
  });

  it('gives up a mail after twelve attempts over most of a day, not before', () => {
    assert.equal(waitAfter('deferred', { tries: 12, ageSeconds: 17 * HOUR }), undefined);
    assert.ok(waitAfter('deferred', { tries: 12, ageSeconds: HOUR }));
    assert.ok(waitAfter('deferred', { tries: 1, ageSeconds: 17 * HOUR }));
  });

  it('retries longer and more often when no mail can be sent, and first within five seconds', () => {
    const longest = (state: typeof first) => waitAfter('unreachable', state, () => 1);
    assert.deepEqual([longest(first), longest({ tries: 40, ageSeconds: 17 * HOUR })], [5, 300]);
    for (const failure of ['unreachable', 'ours'] as const) {
      assert.ok(Number(waitAfter(failure, { tries: 40, ageSeconds: 71 * HOUR })) <= HOUR);
      assert.equal(waitAfter(failure, { tries: 40, ageSeconds: 73 * HOUR }), undefined);
    }
  });
});
