import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { compile, Type } from '@gatehouse/schema';
import { duringEach, endings, eventually, msOf, startTraceReceiver, testLog } from '../testing/index.ts';
import { openTracing, tracingSettings, type TracingSettings } from './open-tracing.ts';
import { NO_TRACING, spanning, type Tracing } from './tracing.ts';

const check = compile(Type.Object(tracingSettings()), { unknownFields: 'drop', coerce: true });

const REQUEST = { method: 'GET', route: '/x' };

describe('traces', () => {
  const atEnd = endings();
  const receiver = duringEach(startTraceReceiver);

  const open = async (settings: Record<string, string> = {}, log = testLog()): Promise<Tracing> => {
    const values = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...settings };
    assert.equal(check(values), undefined);
    // Just checked, which fills in the defaults.
    const tracing = await openTracing('test', values as unknown as TracingSettings, log);
    atEnd(() => {
      receiver.mode = 'answers';
      return tracing.close();
    });
    return tracing;
  };
  const newTraceId = () => randomBytes(16).toString('hex');
  const ask = (tracing: Tracing, traceId = newTraceId(), flags?: string) =>
    tracing.request({ traceId, traceparent: flags && `00-${traceId}-00f067aa0ba902b7-${flags}`, ...REQUEST });
  const received = async (count: number) =>
    eventually(async () => receiver.spans.length >= count && receiver.spans, 10);

  it('are off without an endpoint', async () => {
    const values = {};
    check(values);
    assert.equal(await openTracing('test', values as TracingSettings, testLog()), NO_TRACING);
  });

  it('have the id of the request, child spans, and the configured headers', async () => {
    const tracing = await open({ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, x-other=c' });
    const traceId = newTraceId();
    const request = ask(tracing, traceId);
    assert.ok(request);
    await tracing.within(request, async () => {
      await new Promise(setImmediate);
      await spanning(tracing, tracing.part('inner', 'client', { size: 3 }), async () =>
        tracing.part('innermost', 'internal')?.end(),
      );
    });
    request.end();
    const late = tracing.within(request, () => tracing.part('late', 'internal'));
    assert.equal(late, undefined);
    const spans = await received(3);
    const named = (name: string) => spans.find((span) => span.name === name);
    assert.deepEqual([...new Set(spans.map((span) => span.traceId))], [traceId]);
    assert.equal(named('GET /x')?.parentSpanId, undefined);
    assert.equal(named('inner')?.parentSpanId, named('GET /x')?.spanId);
    assert.equal(named('innermost')?.parentSpanId, named('inner')?.spanId);
    assert.equal(Number(named('inner')?.attributes['size']), 3);
    assert.deepEqual([receiver.headers?.['x-key'], receiver.headers?.['x-other']], ['a b', 'c']);
  });

  it('follow what comes often only until it waits', async () => {
    const tracing = await open();
    const [often, other] = [ask(tracing), ask(tracing)];
    assert.ok(often && other);
    const inOther = tracing.within(other, async () => {
      tracing.atFirst(often, () => tracing.part('of often', 'internal')?.end());
      tracing.part('of other', 'internal')?.end();
      await new Promise(setImmediate);
      tracing.part('of other, later', 'internal')?.end();
    });
    const alone = tracing.atFirst(often, async () => {
      await tracing.within(often, async () => {
        await new Promise(setImmediate);
        tracing.part('followed', 'internal')?.end();
      });
      return tracing.part('not followed', 'internal');
    });
    assert.equal(tracing.current(), undefined);
    await inOther;
    assert.equal(await alone, undefined);
    for (const span of [often, other]) span.end();
    const parents = Object.fromEntries((await received(6)).map((span) => [span.name, span.parentSpanId]));
    const idOf = ({ traceparent }: { traceparent: string }) => traceparent.split('-')[2];
    const found = [parents['of often'], parents['of other'], parents['of other, later'], parents['followed']];
    assert.deepEqual(found, [often, other, other, often].map(idOf));
  });

  it('contain the code or class of an error, not its message', async () => {
    const tracing = await open();
    const request = ask(tracing);
    assert.ok(request);
    const fail = () => Promise.reject(new TypeError('someone@example.com'));
    const work = tracing.within(request, () => spanning(tracing, tracing.part('work', 'internal'), fail));
    await assert.rejects(work, TypeError);
    request.end();
    const span = (await received(2)).find(({ name }) => name === 'work');
    assert.equal(span?.isFault, true);
    assert.deepEqual(span.attributes, { 'error.type': 'TypeError' });
  });

  it('are sampled by ratio, independent of the caller’s id and flag', async () => {
    const tracing = await open({ OTEL_TRACES_SAMPLER_ARG: '0.1' });
    const none = await open({ OTEL_TRACES_SAMPLER_ARG: '0' });
    // By OpenTelemetry's own sampler the one would be recorded always, the other never.
    const [always, never] = ['a'.repeat(32), 'f'.repeat(8).padEnd(32, '0')];
    for (const newId of [newTraceId, () => always, () => never]) {
      for (const flags of [undefined, '00', '01']) {
        const askOften = (of: Tracing) =>
          Array.from({ length: 5000 }, () => ask(of, newId(), flags)).filter((span) => span !== undefined);
        const { length } = askOften(tracing);
        assert.ok(length > 350 && length < 650, `${length} of 5000`);
        assert.equal(askOften(none).length, 0);
      }
    }
  });

  it('follow the sampling of a trusted sender', async () => {
    const OTEL_TRACES_SAMPLER = 'parentbased_traceidratio';
    const tracing = await open({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: '0' });
    const traceId = newTraceId();
    ask(tracing, traceId, '01')?.end();
    assert.equal(ask(tracing, newTraceId(), '00'), undefined);
    const [span] = await received(1);
    assert.deepEqual([span?.traceId, span?.parentSpanId], [traceId, '00f067aa0ba902b7']);
    assert.equal(tracing.resume('x', 'consumer', `00-${traceId}-00f067aa0ba902b7-00`), undefined);
    for (const odd of [undefined, '', 'x', `01-${traceId}-00f067aa0ba902b7-01`])
      assert.equal(tracing.resume('x', 'consumer', odd), undefined);
  });

  for (const mode of ['hangs', 'refuses'] as const) {
    it(`do not delay requests or the stop, and use little memory, while the receiver ${mode}`, async () => {
      const lines: string[] = [];
      const log = testLog();
      const tracing = await open({}, { ...log, warn: (message) => lines.push(message) });
      receiver.mode = mode;
      const begun = performance.now();
      for (let count = 0; count < 20_000; count += 1) {
        ask(tracing)?.end();
        if (count % 500 === 0) await new Promise(setImmediate);
      }
      assert.ok(performance.now() - begun < 5000);
      await eventually(async () => lines.length > 0, 10);
      receiver.mode = 'answers';
      ask(tracing)?.end();
      assert.ok((await msOf(() => tracing.close())) < 2500);
      // What waits is bounded by 2048, and what is under way by the batches that were begun.
      assert.ok(receiver.spans.length <= 2048 + 8 * 512, `${receiver.spans.length} spans`);
      assert.deepEqual(lines, ['failed to export traces, discarding them']);
    });
  }

  it('stop within 2 s when the receiver does not respond', async () => {
    const tracing = await open();
    receiver.mode = 'hangs';
    ask(tracing)?.end();
    assert.ok((await msOf(() => tracing.close())) < 2500);
  });

  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:canary@127.0.0.1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'canary'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x=canary%0d%0ay'],
  ] as const)
    it(`refuse ${name}=${value} without repeating it`, () => {
      const message = new RegExp(`^(?!.*canary).*${name}`, 's');
      return assert.rejects(open({ [name]: value }), { name: 'ConfigError', message });
    });
});
