import { randomBytes } from 'node:crypto';
import { startTraceReceiver } from '@gatehouse/runtime/testing';
import { callAt, startWorld } from '../testing/index.ts';

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
export function callIn(
  traceId: string,
  base: string,
  method: string,
  path: string,
  given: { token?: string; body?: object | undefined },
) {
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-00` };
  return callAt(base, method, path, { ...given, headers });
}
