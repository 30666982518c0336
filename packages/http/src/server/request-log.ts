import type { Caller } from '@gatehouse/auth-core';
import { Histogram, type Log, type Metrics } from '@gatehouse/runtime';
import type { ErrorCode } from '../errors.ts';
import type { RequestFacts } from '../request/request-facts.ts';

/** What became of a request. */
export interface Outcome {
  method: string;
  /** The path as its route has it, so that no identifier or query reaches logs and metrics. */
  route: string;
  status: number;
  seconds: number;
  facts: RequestFacts;
  caller: Caller | null;
  problem: ErrorCode | undefined;
}

/** Writes one line a request and counts it. */
export function createRequestLog(log: Log, metrics: Metrics): (outcome: Outcome) => void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Request duration by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [metrics],
  });
  // Making a labelled child costs more than observing with it.
  const children = new Map<string, ReturnType<typeof durations.labels>>();

  return ({ method, route, status, seconds, facts, caller, problem }) => {
    const key = `${method} ${route} ${status}`;
    let child = children.get(key);
    if (child === undefined) {
      child = durations.labels(method, route, String(status));
      children.set(key, child);
    }
    child.observe(seconds);
    // A browser asks before each call of another origin; that it may ask is no news.
    const write = method === 'OPTIONS' ? log.debug : log.info;
    write('request', {
      method,
      route,
      status,
      ms: Math.round(seconds * 1e5) / 100,
      traceId: facts.traceId,
      address: facts.address,
      ...callerFacts(caller),
      ...(problem === undefined ? undefined : { problem }),
      ...facts.notes,
    });
  };
}

function callerFacts(caller: Caller | null): object | undefined {
  if (caller === null) return undefined;
  if (caller.kind === 'service') return { serviceId: caller.tokenId };
  return { accountId: caller.accountId, sessionId: caller.sessionId };
}
