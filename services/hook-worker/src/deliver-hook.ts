import { createHmac } from 'node:crypto';
import { hookDeliveries, type Db, type DueEvent, type DueHook, type HookError } from '@gatehouse/db';
import type { OpenHookSecret } from '@gatehouse/events';
import { NO_TRACING, recordUntilDone, spanning, type Log, type Tracing } from '@gatehouse/runtime';
import type { Call, CallResult } from './call/call.ts';
import type { HookMetrics, HookResult } from './hook-metrics.ts';

export interface HookDeliveryDeps {
  db: Db;
  openSecret: OpenHookSecret;
  call: Call;
  log: Log;
  metrics: HookMetrics;
  tracing?: Tracing | undefined;
}

const GONE = 410;

interface Answer {
  status: number | null;
  failure?: { error: HookError; retryAfterSeconds?: number | undefined };
}

/**
 * Sends a claimed delivery in steps: sign, send, mark. The process may die after each step: another worker then starts
 * again. Only a crash between sending and marking sends it twice, with the same id.
 *
 * @throws {Unavailable} if Postgres is down: the delivery is due again when its hold ends.
 */
export function createDeliverHook(deps: HookDeliveryDeps): (hook: DueHook) => Promise<void> {
  const { tracing = NO_TRACING, log, metrics } = deps;
  return async (hook) => {
    const { id, webhookId, clientId, eventId, type, tries, traceId, traceparent } = hook;
    const attributes = { 'gatehouse.event': type };
    const span = tracing.resume('webhook deliver', 'client', traceparent ?? undefined, attributes);
    await spanning(tracing, span, async () => {
      const startedAt = performance.now();
      const answer = await send(deps, hook);
      const durationMs = Math.round(performance.now() - startedAt);
      const result = await settle(deps, hook, answer, durationMs);
      span?.set({ 'gatehouse.hook.result': result });
      metrics.count(result, hook.ageSeconds + durationMs / 1000);
      log.info('webhook called', {
        ...{ id, eventId, type, tries, result, durationMs },
        webhookId: webhookId ?? undefined,
        clientId: clientId ?? undefined,
        traceId: traceId ?? undefined,
        status: answer.status ?? undefined,
        ...(answer.failure && { problem: answer.failure.error }),
      });
    });
  };
}

async function send({ openSecret, call }: HookDeliveryDeps, hook: DueHook): Promise<Answer> {
  if (hook.clientId !== null) {
    // OpenID Connect Back-Channel Logout 1.0 §2.5.
    const body = new URLSearchParams({ logout_token: hook.logoutToken }).toString();
    return answerOf(await call(hook.url, body, { 'content-type': 'application/x-www-form-urlencoded' }));
  }
  const { webhookId, eventId, body, url, secret, formerSecret } = hook;
  const secrets = [secret, formerSecret].flatMap((sealed) =>
    sealed === null ? [] : (openSecret(webhookId, sealed) ?? []),
  );
  if (secrets.length === 0) return { status: null, failure: { error: 'secret_unreadable' } };
  const signed = signatureHeaders({ id: eventId, body, at: new Date() }, secrets);
  return answerOf(await call(url, body, { 'content-type': 'application/cloudevents+json', ...signed }));
}

function answerOf(result: CallResult): Answer {
  if (result.kind === 'failed') return { status: null, failure: { error: result.fault } };
  const { status, retryAfterSeconds } = result;
  if (status >= 200 && status < 300) return { status };
  if (status === GONE) return { status, failure: { error: 'gone' } };
  const error = status >= 300 && status < 400 ? 'redirect' : 'status';
  return { status, failure: { error, retryAfterSeconds } };
}

async function settle(
  deps: HookDeliveryDeps,
  hook: DueHook,
  answer: Answer,
  durationMs: number,
): Promise<HookResult> {
  const { db } = deps;
  const { status: statusCode, failure } = answer;
  if (failure === undefined) {
    await recordUntilDone(() => hookDeliveries.markSent(db, { ...hook, statusCode, durationMs }));
    return 'sent';
  }
  const { error, retryAfterSeconds } = failure;
  const isGone = statusCode === GONE;
  const afterSeconds = isGone ? undefined : waitAfter(hook, retryAfterSeconds);
  await hookDeliveries.markFailed(db, hook, { afterSeconds, error, statusCode, durationMs });
  if (hook.clientId === null) await disableIfHopeless(deps, hook, isGone);
  return afterSeconds === undefined ? 'parked' : 'retried';
}

/** An application is never disabled: its users sign in to it. */
async function disableIfHopeless({ db, log, metrics }: HookDeliveryDeps, hook: DueEvent, isGone: boolean) {
  const { webhookId, url, failingSeconds } = hook;
  if (!isGone && (failingSeconds ?? 0) < FAILING_SECONDS) return;
  const why = isGone
    ? ({ reason: 'Gone' } as const)
    : ({ reason: 'Failing', failingSeconds: FAILING_SECONDS } as const);
  if (!(await hookDeliveries.disable(db, { webhookId, url }, why))) return;
  metrics.countDisabled();
  log.warn('webhook disabled', { webhookId, reason: why.reason });
}

const MINUTE = 60;
const HOUR = 3600;
const DELAYS_SECONDS = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 12 * HOUR];
const PATIENCE_SECONDS = 72 * HOUR;

/** A webhook that has had no success for this time is disabled at its next failure. */
const FAILING_SECONDS = 5 * 24 * HOUR;

/**
 * The time to wait after the `tries`-th failure, in seconds; `undefined` after three days. A receiver can ask for more
 * time (`Retry-After`), up to twelve hours. What an application is told of the end of a session is worth trying for
 * `patienceSeconds` only, and then at least every five minutes.
 */
export function waitAfter(
  {
    tries,
    ageSeconds,
    patienceSeconds = null,
  }: { tries: number; ageSeconds: number; patienceSeconds?: number | null },
  retryAfterSeconds = 0,
  random = Math.random,
): number | undefined {
  if (ageSeconds >= (patienceSeconds ?? PATIENCE_SECONDS)) return undefined;
  const longest = patienceSeconds === null ? (DELAYS_SECONDS.at(-1) ?? 0) : 5 * MINUTE;
  const step = Math.min(DELAYS_SECONDS[Math.max(0, tries - 1)] ?? longest, longest);
  // Random, so that deliveries that failed together are not retried together.
  const wait = Math.max(step * (0.75 + random() / 4), Math.min(retryAfterSeconds, longest));
  return patienceSeconds !== null && ageSeconds + wait >= patienceSeconds ? undefined : wait;
}

/** Standard Webhooks; with two signatures for some time after a rotation of the secret. */
export function signatureHeaders(
  { id, body, at }: { id: string; body: string; at: Date },
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
