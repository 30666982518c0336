import type { IncomingMessage, ServerResponse } from 'node:http';
import { createLog } from '../log/log.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { serve } from './serve.ts';

/** A span as it was received (OTLP 1, JSON). */
export interface ReceivedSpan {
  service: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
  isFault: boolean;
}

export type TraceReceiver = Awaited<ReturnType<typeof startTraceReceiver>>;

export function tracingTo(receiver: TraceReceiver, service: string): Promise<Tracing> {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: 1 } as const;
  return openTracing(service, { ...settings, OTEL_TRACES_SAMPLER: 'traceidratio' }, createLog({ service }));
}

/** A collector: accepts spans over OTLP/HTTP and stores them. */
export async function startTraceReceiver() {
  const take = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks = (await message.toArray()) as Buffer[];
    if (receiver.mode === 'hangs') return;
    if (receiver.mode === 'refuses') return void response.writeHead(503).end();
    receiver.headers = message.headers;
    if (message.url === '/v1/traces') receiver.spans.push(...spansOf(Buffer.concat(chunks).toString()));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const { url, stop } = await serve((message, response) => void take(message, response));
  const receiver = {
    ...{ url, stop },
    spans: [] as ReceivedSpan[],
    mode: 'answers' as 'answers' | 'refuses' | 'hangs',
    headers: undefined as IncomingMessage['headers'] | undefined,
  };
  return receiver;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes' | 'service' | 'isFault'> & {
        attributes: Attribute[];
        status: { code?: number };
      })[];
    }[];
  }[];
}

function spansOf(text: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(text) as Export; // as OTLP has it
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(factsOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId, attributes, status }) => ({
        ...{ service, name, kind, traceId, spanId },
        ...(parentSpanId !== undefined && { parentSpanId }),
        attributes: factsOf(attributes),
        isFault: status.code === 2,
      })),
    );
  });
}

/** Each value is in an object that names its type; the texts of lists are joined. */
function factsOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const list = (value['arrayValue'] as { values: { stringValue: string }[] } | undefined)?.values;
      return [key, list?.map((one) => one.stringValue).join(', ') ?? Object.values(value)[0]];
    }),
  );
}
