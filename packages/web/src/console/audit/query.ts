import type { Input } from '../api/ask.ts';

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

/** As it was typed where it is no moment, so that the API says so. */
function momentOf(typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined;
  const moment = new Date(typed);
  return Number.isNaN(moment.getTime()) ? typed : moment.toISOString();
}

const AROUND_MS = 5 * 60_000;

/** The five minutes before a moment and after it, as fields of local time have them. */
export function around(at: string): { from: string; to: string } {
  const moment = Date.parse(at);
  return { from: localTime(moment - AROUND_MS), to: localTime(moment + AROUND_MS) };
}

function localTime(moment: number): string {
  const zoneMs = new Date(moment).getTimezoneOffset() * 60_000;
  return new Date(moment - zoneMs).toISOString().slice(0, 19);
}
