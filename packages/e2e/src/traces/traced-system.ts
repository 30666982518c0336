import { randomBytes } from 'node:crypto';
import { startTraceReceiver } from '@gatehouse/runtime/testing';
import { startWorld } from '../testing/index.ts';

/** The whole system, and a receiver of all its traces. */
export async function startTracedSystem() {
  const receiver = await startTraceReceiver();
  const world = await startWorld({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  return {
    receiver,
    world,
    spansOf: (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId),
    stop: async (): Promise<void> => {
      await world.stop();
      await receiver.close();
    },
  };
}

export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

/** A request in a trace of the caller's, at the gateway or at a service. */
export async function callAt(
  base: string,
  method: string,
  path: string,
  { traceId, token, body }: { traceId: string; token?: string; body?: object },
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      traceparent: `00-${traceId}-00f067aa0ba902b7-00`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}
