import type { Caller } from '@gatehouse/auth-core';
import { Histogram, type Log, type Metrics } from '@gatehouse/runtime';
import type { ErrorCode } from '../errors.ts';
import type { RequestFacts } from '../request/request-facts.ts';

export interface Outcome {
  method: string;
  /** The route’s path, so that logs and metrics contain no identifier or query. */
  route: string;
  status: number;
  seconds: number;
  facts: RequestFacts;
  caller: Caller | null;
  problem: ErrorCode | undefined;
}

export function createRequestLog(log: Log, metrics: Metrics): (outcome: Outcome) => void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Request duration by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [metrics],
  });
  const write = log.repeated('info', 'request');
  // Browsers send one before each cross-origin call: not worth a log line by default.
  const writePreflight = log.repeated('debug', 'request');
  // Creating a labeled child costs more than observing with it.
  const kinds = new Map<string, { observe: (seconds: number) => void; json: string }>();

  const kindOf = (method: string, route: string, status: number) => {
    const key = `${method} ${route} ${status}`;
    let kind = kinds.get(key);
    if (kind === undefined) {
      const child = durations.labels(method, route, String(status));
      const json = `,${JSON.stringify({ method, route, status }).slice(1, -1)},"ms":`;
      kind = { observe: (seconds) => child.observe(seconds), json };
      kinds.set(key, kind);
    }
    return kind;
  };

  return ({ method, route, status, seconds, facts, caller, problem }) => {
    const { observe, json } = kindOf(method, route, status);
    observe(seconds);
    const ms = Math.round(seconds * 1e5) / 100;
    // Built by hand, as every request gets here. Identifiers and addresses were validated and need no escaping.
    let text = `${json}${ms},"traceId":"${facts.traceId}","address":"${facts.address}"${callerMembers(caller)}`;
    if (problem !== undefined) text += `,"problem":"${problem}"`;
    (method === 'OPTIONS' ? writePreflight : write)(text, facts.notes);
  };
}

function callerMembers(caller: Caller | null): string {
  if (caller === null) return '';
  if (caller.kind === 'service') return `,"serviceId":"${caller.tokenId}"`;
  return `,"accountId":"${caller.accountId}","sessionId":"${caller.sessionId}"`;
}
