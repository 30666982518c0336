import { HOOK_ERRORS, type HookRecord } from '@gatehouse/db';
import { NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';

export const HookStatus = NameOf(['Pending', 'Sent', 'Retrying', 'Parked']);

/** Why a try failed. */
export const HookErrorName = NameOf(HOOK_ERRORS);

const Moment = Nullable(Timestamp());

/** A delivery in Admin's responses. */
export const HookDeliveryAnswer = Type.Object(
  {
    Id: Uuid(),
    WebhookId: Nullable(Uuid(), { description: 'Null if it tells an application of the end of a session' }),
    ClientId: Nullable(Uuid(), { description: 'That application' }),
    EventId: Uuid(),
    Type: Type.String(),
    Status: HookStatus,
    Tries: Type.Integer({
      description: 'Number of attempts since it was queued or last retried by an administrator',
    }),
    LastError: Nullable(HookErrorName),
    StatusCode: Nullable(Type.Integer(), {
      description: 'The response to the last attempt, if there was one',
    }),
    DurationMs: Nullable(Type.Integer(), { description: 'How long the last attempt took' }),
    NextTryAt: Moment,
    CreatedAt: Timestamp(),
    SentAt: Moment,
    ParkedAt: Moment,
    TraceId: Nullable(Type.String(), { description: 'The request that caused the event' }),
  },
  { title: 'HookDelivery' },
);

/** The parameters of the path. */
export const HookDeliveryPath = Type.Object({ id: Uuid() });

export function hookDeliveryAnswer(hook: HookRecord) {
  return {
    Id: hook.id,
    WebhookId: hook.webhookId,
    ClientId: hook.clientId,
    EventId: hook.eventId,
    Type: hook.type,
    Status: hook.status,
    Tries: hook.tries,
    LastError: hook.lastError,
    StatusCode: hook.statusCode,
    DurationMs: hook.durationMs,
    NextTryAt: hook.nextTryAt?.toISOString() ?? null,
    CreatedAt: hook.createdAt.toISOString(),
    SentAt: hook.sentAt?.toISOString() ?? null,
    ParkedAt: hook.parkedAt?.toISOString() ?? null,
    TraceId: hook.traceId,
  };
}
