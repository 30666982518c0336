import assert from 'node:assert/strict';
import { during, eventually, fieldsOf, startTraceReceiver, tracingTo } from '@gatehouse/runtime/testing';
import { startTestMailWorker } from './testing/index.ts';

describe('the trace of a mail', () => {
  const receiver = during(startTraceReceiver);
  const rig = during(startTestMailWorker);

  it('has a span for each attempt under its request, with the reply code of the mail server', async () => {
    const tracing = await tracingTo(receiver, 'mail-worker');
    await rig.startWorker({ tracing });
    let tries = 0;
    rig.sink.answerTo = (address) => ((tries += 1) === 1 ? `450 ${address} ABCD-1234 is busy` : undefined);
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const mail = await rig.send({ isPublished: false });
    await rig.publish({ ...mail.event, traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    await rig.hasStatus(mail.id, 'Retrying');
    await rig.dueAgain(mail.id);
    await rig.hasStatus(mail.id, 'Sent');
    const spans = await eventually(async () => receiver.spans.length >= 4 && receiver.spans, 10);
    const named = (name: string) => spans.filter((span) => span.name === name);
    const attribute = (name: string, key: string) => named(name).map(({ attributes }) => attributes[key]);
    assert.deepEqual(attribute('mail deliver', 'gatehouse.mail.result'), ['deferred', 'sent']);
    assert.deepEqual(attribute('smtp', 'gatehouse.smtp.reply_code').map(Number), [450, 250]);
    assert.deepEqual(fieldsOf(named('smtp'), 'isFault'), [true, false]);
    for (const parent of fieldsOf(named('mail deliver'), 'parentSpanId'))
      assert.equal(parent, '00f067aa0ba902b7');
    assert.deepEqual([...new Set(spans.map((span) => span.traceId))], [traceId]);
    assert.doesNotMatch(JSON.stringify(spans), /ABCD|@|busy/);
    await tracing.close();
  });
});
