import { createReach, type CallFault, type ReachOptions } from '../reach.ts';

export type CallResult =
  | { kind: 'answered'; status: number; retryAfterSeconds: number | undefined }
  | { kind: 'failed'; fault: CallFault };

/** Calls a receiver once. It never throws. */
export type Call = (url: string, body: string, headers: Record<string, string>) => Promise<CallResult>;

const CALL_MS = 10_000;
/** More than this of an answer is not read. Nothing of it is kept. */
const ANSWER_BYTES_MAX = 65_536;

export function createCall({ callMs = CALL_MS, ...options }: ReachOptions & { callMs?: number }): Call {
  const reach = createReach(options);
  return async (url, body, given) => {
    const headers = { 'content-length': Buffer.byteLength(body), ...given };
    const bounds = { bytesMax: ANSWER_BYTES_MAX, timeMs: callMs };
    const reached = await reach(url, { method: 'POST', headers, body, ...bounds });
    if (reached.kind === 'failed') return reached;
    const { status, headers: answered } = reached.answer;
    return { kind: 'answered', status, retryAfterSeconds: secondsOf(answered['retry-after']) };
  };
}

/** `Retry-After` as seconds (RFC 9110 §10.2.3). */
function secondsOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}
