import { hookDeliveries, type Db, type DueEvent, type DueHook, type HookError } from '@gatehouse/db';
import type { OpenHookSecret } from '@gatehouse/events';
import { NO_TRACING, recordUntilDone, spanning, type Log, type Tracing } from '@gatehouse/runtime';
import type { Call, CallResult } from './call/call.ts';
import type { HookMetrics, HookResult } from './hook-metrics.ts';
import { FAILING_SECONDS, waitAfter } from './schedule.ts';
import { signatureHeaders } from './sign.ts';

export interface HookDeliveryDeps {
  db: Db;
  openSecret: OpenHookSecret;
  call: Call;
  log: Log;
  metrics: HookMetrics;
  tracing?: Tracing | undefined;
}

const GONE = 410;

/** What became of a try. */
interface Answer {
  /** Null if there was no answer. */
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
    const span = tracing.resume('webhook deliver', 'client', traceparent ?? undefined, {
      'gatehouse.event': type,
    });
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
  { status: statusCode, failure }: Answer,
  durationMs: number,
): Promise<HookResult> {
  const { db } = deps;
  if (failure === undefined) {
    await recordUntilDone(() => hookDeliveries.markSent(db, hook, { statusCode, durationMs }));
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
async function disableIfHopeless(deps: HookDeliveryDeps, hook: DueEvent, isGone: boolean): Promise<void> {
  if (isGone) await disable(deps, hook, { reason: 'Gone' });
  else if ((hook.failingSeconds ?? 0) >= FAILING_SECONDS) {
    await disable(deps, hook, { reason: 'Failing', failingSeconds: FAILING_SECONDS });
  }
}

async function disable(
  { db, log, metrics }: HookDeliveryDeps,
  { webhookId, url }: DueEvent,
  why: Parameters<typeof hookDeliveries.disable>[2],
): Promise<void> {
  if (!(await hookDeliveries.disable(db, { webhookId, url }, why))) return;
  metrics.countDisabled();
  log.warn('webhook disabled', { webhookId, reason: why.reason });
}
