import type { Input } from '../api/call-api.ts';
import { localTime, momentOf } from '../ui/moment.ts';

/** The filters in the address, as query parameters of the API; local times are converted to UTC. */
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
  // The address may contain any value: the API rejects the invalid ones.
  return query as object;
}

const AROUND_MS = 5 * 60_000;

/** The range from five minutes before a moment to five minutes after it, as values of `datetime-local` fields. */
export function around(at: string): { from: string; to: string } {
  const moment = Date.parse(at);
  return { from: localTime(moment - AROUND_MS), to: localTime(moment + AROUND_MS) };
}
