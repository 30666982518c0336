import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Context, Span as RecordedSpan } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { atMost } from '../deadline.ts';
import type { Log } from '../log/log.ts';
import { VERSION } from '../version.ts';
import { faultOf, type Span, type SpanFacts, type Tracing } from './tracing.ts';

/** What waits to be sent, at most: a few megabytes. What comes beyond it is not recorded. */
const WAITING_MAX = 2048;
const BATCH_MAX = 512;
const SEND_EVERY_MS = 2000;
/** How long the receiver may take for a batch, repeats included. */
const SEND_MS = 4000;
const CLOSE_MS = 2000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** Records traces with OpenTelemetry. Only what is recorded has a span, and enters the store that follows its work. */
export function createTracing(options: {
  service: string;
  url: string;
  headers: Record<string, string>;
  ratio: number;
  believesParents: boolean;
  log: Log;
}): Tracing {
  const { believesParents, ratio } = options;
  const ids = createIds();
  const provider = createProvider({ ...options, ids });
  const tracer = provider.getTracer('gatehouse', VERSION);
  const { onEnd, current, within, atFirst } = createWork();
  const begin = (name: string, kind: keyof typeof KINDS, parent: Context, facts: SpanFacts = {}) =>
    new OpenSpan(tracer.startSpan(name, { kind: KINDS[kind], attributes: facts }, parent), onEnd);

  return {
    request: ({ traceId, traceparent, method, route }) => {
      // Not by the trace's id, which the caller chooses; and first of all, as most requests are not recorded.
      const isShare = Math.random() < ratio;
      if (!isShare && !believesParents) return undefined;
      const parent = typeof traceparent === 'string' ? readTraceparent(traceparent) : undefined;
      if (!isShare && parent?.traceFlags !== TraceFlags.SAMPLED) return undefined;
      const facts = { 'http.request.method': method, 'http.route': route };
      const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      ids.next = traceId;
      return begin(`${method} ${route}`, 'server', context, facts);
    },
    resume: (name, kind, traceparent, facts) => {
      const parent = traceparent === undefined ? undefined : readTraceparent(traceparent);
      if (parent?.traceFlags !== TraceFlags.SAMPLED) return undefined;
      return begin(name, kind, trace.setSpanContext(ROOT_CONTEXT, parent), facts);
    },
    part: (name, kind, facts) => {
      const span = current();
      return span && begin(name, kind, trace.setSpan(ROOT_CONTEXT, span.recorded), facts);
    },
    // Spans are made here alone.
    within: (span, does) => within(span as OpenSpan, does),
    atFirst: (span, does) => atFirst(span as OpenSpan, does),
    current,
    // That the last spans could not be sent is in the log already.
    close: () =>
      atMost(
        CLOSE_MS,
        provider.shutdown().catch(() => {}),
      ),
  };
}

/** Finds the span to which the current work belongs. */
function createWork() {
  const store = new AsyncLocalStorage<OpenSpan>();
  /** The span of what runs now and is not followed further. */
  let first: OpenSpan | undefined;
  let followed = 0;

  const atFirst = <T>(span: OpenSpan | undefined, does: () => T): T => {
    const before = first;
    first = span;
    try {
      return does();
    } finally {
      first = before;
    }
  };
  return {
    atFirst,
    within: <T>(span: OpenSpan, does: () => T): T => {
      if (span.isEnded) return does();
      if (!span.isFollowed) {
        span.isFollowed = true;
        followed += 1;
      }
      return atFirst(undefined, () => store.run(span, does));
    },
    current: (): OpenSpan | undefined => {
      const span = first ?? store.getStore();
      // What outlives its work, such as a connection that was opened for it, adds nothing to its trace.
      return span === undefined || span.isEnded ? undefined : span;
    },
    onEnd: (span: OpenSpan): void => {
      if (!span.isFollowed) return;
      followed -= 1;
      // Up to Node 22 a store that is in use slows down every promise of the process, by a tenth to a fifth for a ping.
      if (followed === 0) store.disable();
    },
  };
}

function createProvider(options: {
  service: string;
  url: string;
  headers: Record<string, string>;
  ids: ReturnType<typeof createIds>;
  log: Log;
}): BasicTracerProvider {
  const { service, url, headers, ids, log } = options;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: SEND_MS, concurrencyLimit: 8 });
  return new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'gatehouse',
      'service.name': service,
      'service.version': VERSION,
      'service.instance.id': randomUUID(),
    }),
    // Whether a trace is recorded was decided before its first span begins.
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanLimits: { attributeValueLengthLimit: 200, attributeCountLimit: 32 },
    spanProcessors: [
      new BatchSpanProcessor(watched(exporter, log), {
        maxQueueSize: WAITING_MAX,
        maxExportBatchSize: BATCH_MAX,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_MS + 1000,
      }),
    ],
  });
}

class OpenSpan implements Span {
  isEnded = false;
  /** Whether work was followed over its waits, and the span counts among those until it ends. */
  isFollowed = false;
  readonly recorded: RecordedSpan;
  readonly #onEnd: (span: OpenSpan) => void;

  constructor(recorded: RecordedSpan, onEnd: (span: OpenSpan) => void) {
    this.recorded = recorded;
    this.#onEnd = onEnd;
  }

  get traceparent(): string {
    const { traceId, spanId } = this.recorded.spanContext();
    return `00-${traceId}-${spanId}-01`;
  }

  set(facts: SpanFacts): void {
    this.recorded.setAttributes(facts);
  }

  end(fault?: string): void {
    if (this.isEnded) return;
    this.isEnded = true;
    if (fault !== undefined)
      this.recorded.setAttribute('error.type', fault).setStatus({ code: SpanStatusCode.ERROR });
    this.recorded.end();
    this.#onEnd(this);
  }
}

/** New ids; the next new trace gets the id that its request has in logs and answers. */
function createIds() {
  const ids = {
    next: '',
    generateTraceId: () => ids.next,
    generateSpanId: () => randomBytes(8).toString('hex'),
  };
  return ids;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

function readTraceparent(text: string) {
  const [, traceId, spanId, flags = ''] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  // The other flags say nothing of recording (W3C Trace Context §3.2.2.5).
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

/** An exporter whose outage is in the log: one line at its begin and one at its end. */
function watched(exporter: SpanExporter, log: Log): SpanExporter {
  let isDown = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        if (hasFailed && !isDown) {
          // Its message may quote what the receiver answered.
          log.warn('failed to export traces, discarding them', { reason: faultOf(result.error) });
        } else if (!hasFailed && isDown) log.info('traces are exported again');
        isDown = hasFailed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
