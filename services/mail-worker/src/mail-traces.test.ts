import assert from 'node:assert/strict';
import { inTransaction, outbox, query } from '@gatehouse/db';
import { NO_DEADLINE, type Tracing } from '@gatehouse/runtime';
import { eventually, startTraceReceiver, tracingTo, type TraceReceiver } from '@gatehouse/runtime/testing';
import { startTestMailWorker, type TestMailWorker } from './testing/index.ts';

describe('the trace of a mail', function () {
  this.timeout(30_000);
  let rig: TestMailWorker;
  let receiver: TraceReceiver;
  let tracing: Tracing;
  beforeEach(async () => {
    rig = await startTestMailWorker();
    receiver = await startTraceReceiver();
    tracing = await tracingTo(receiver, 'mail-worker');
  });
  afterEach(async () => {
    await rig.close();
    await tracing.close();
    await receiver.close();
  });

  const publish = async (traceparent: string) => {
    const mail = await rig.send({ publish: false });
    await inTransaction(rig.db, NO_DEADLINE, (tx) => outbox.add(tx, [{ ...mail.event, traceparent }]));
    rig.wake();
    return mail;
  };
  const isSent = (id: string) => eventually(async () => (await rig.delivery(id))['status'] === 'Sent', 20);

  it('has a span for each attempt under its request, with the reply code of the mail server', async () => {
    await rig.startWorker({ tracing });
    let tries = 0;
    rig.sink.answerTo = (address) => ((tries += 1) === 1 ? [450, `${address} ABCD-1234 is busy`] : undefined);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const mail = await publish(`00-${traceId}-00f067aa0ba902b7-01`);
    await eventually(async () => (await rig.delivery(mail.id))['status'] === 'Retrying');
    await query(
      rig.db,
      `update mail_delivery
       set next_try_at = now() - interval '1 minute', claimed_until = null
       where id = ?`,
      [mail.id],
    );
    await isSent(mail.id);
    const spans = await eventually(async () => receiver.spans.length >= 4 && receiver.spans, 10);
    const named = (name: string) => spans.filter((span) => span.name === name);
    assert.deepEqual(
      named('mail deliver').map(({ parentSpanId, attributes }) => [
        parentSpanId,
        attributes['gatehouse.mail.result'],
      ]),
      [
        ['00f067aa0ba902b7', 'deferred'],
        ['00f067aa0ba902b7', 'sent'],
      ],
    );
    assert.deepEqual(
      named('smtp').map(({ isFault, attributes }) => [
        isFault,
        Number(attributes['gatehouse.smtp.reply_code']),
      ]),
      [
        [true, 450],
        [false, 250],
      ],
    );
    assert.deepEqual([...new Set(spans.map((span) => span.traceId))], [traceId]);
    assert.doesNotMatch(JSON.stringify(spans), /ABCD|@|busy/);
  });

  it('is missing for a mail without a valid trace id', async () => {
    await rig.startWorker({ tracing });
    for (const odd of ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', 'odd']) {
      await isSent((await publish(odd)).id);
    }
    await isSent((await rig.send()).id);
    await tracing.close();
    assert.deepEqual(receiver.spans, []);
  });
});
