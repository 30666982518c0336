import type { MailRecord } from '@gatehouse/db';
import { NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';

/** A mail and its state. */
export const MailStatus = NameOf(['Pending', 'Sent', 'Retrying', 'Parked']);

const Moment = Nullable(Timestamp());

/** A mail in Admin's responses, without its content. */
export const MailAnswer = Type.Object(
  {
    Id: Uuid(),
    Kind: Type.String(),
    Email: Nullable(Type.String(), {
      description: 'null if the message could not be decrypted',
    }),
    Status: MailStatus,
    Tries: Type.Integer({
      description: 'Number of delivery attempts since it was queued or last retried by an administrator',
    }),
    LastError: Nullable(Type.String()),
    NextTryAt: Moment,
    CreatedAt: Timestamp(),
    SentAt: Moment,
    ParkedAt: Moment,
    TraceId: Nullable(Type.String(), { description: 'The request that caused the email' }),
  },
  { title: 'Mail' },
);

/** The parameters of the path. */
export const MailPath = Type.Object({ id: Uuid() });

export function mailAnswer(mail: MailRecord) {
  return {
    Id: mail.id,
    Kind: mail.kind,
    Email: mail.email,
    Status: mail.status,
    Tries: mail.tries,
    LastError: mail.lastError,
    NextTryAt: mail.nextTryAt?.toISOString() ?? null,
    CreatedAt: mail.createdAt.toISOString(),
    SentAt: mail.sentAt?.toISOString() ?? null,
    ParkedAt: mail.parkedAt?.toISOString() ?? null,
    TraceId: mail.traceId,
  };
}
