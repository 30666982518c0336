import type { Input } from '../api/call-api.ts';
import { localTime, momentOf } from '../ui/moment.ts';

/** What the address narrows the audit by, as the API takes it; moments are given in the reader's own time. */
export function queryOf(values: Readonly<Record<string, string>>): Input<'GET /admin/audit'>['query'] {
  const { action, actorKind, actorId, targetId, traceId, ipAddress, from, to } = values;
  const query = {
    action,
    actorKind,
    actorId,
    targetId,
    traceId,
    ipAddress,
    from: momentOf(from),
    to: momentOf(to),
  };
  // What stands in an address may be anything: the API says what it takes.
  return query as object;
}

const AROUND_MS = 5 * 60_000;

/** The five minutes before a moment and after it, as fields of local time have them. */
export function around(at: string): { from: string; to: string } {
  const moment = Date.parse(at);
  return { from: localTime(moment - AROUND_MS), to: localTime(moment + AROUND_MS) };
}
