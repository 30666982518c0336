import { v7 as newId } from 'uuid';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';

export const AUDIT_ACTIONS = [
  'face.reviewed',
  'person.created',
  'person.changed',
  'person.deleted',
  'content.created',
  'content.changed',
  'content.deleted',
  'invitation.deleted',
  'invitation.resent',
  'invitation.restored',
  'user-session.changed',
  'mail.retried',
  'mail.test-sent',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.rotated',
  'webhook.tested',
  'webhook.disabled',
  'hook-delivery.retried',
  'user.invited',
  'user.removed',
  'guest.registered',
  'password.changed',
  'password.reset',
  'email.change-requested',
  'email.changed',
  'email.taken-back',
  'profile.changed',
  'two-factor.enabled',
  'two-factor.disabled',
  'two-factor.recovery-codes-renewed',
  'passkey.added',
  'passkey.renamed',
  'passkey.removed',
  'session.ended',
  'session.handed-over',
  'api-token.created',
  'api-token.revoked',
  'api-token.rotated',
  'client.created',
  'client.changed',
  'client.rotated',
  'client.deleted',
  'account.created',
  'account.registered',
  'account.contested',
  'account.verified',
  'account.changed',
  'account.reset-started',
  'account.invited',
  'account.two-factor-removed',
  'account.passkey-removed',
  'account.unlocked',
  'account.imported',
  'account.exported',
  'account.erasure-requested',
  'account.erasure-taken-back',
  'account.erased',
  'sso.linked',
  'sso.unlinked',
  'consent.granted',
  'consent.withdrawn',
  'device.approved',
  'device.denied',
  'app.signed-in',
  'app.signed-out',
  'app.token-reused',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_TARGET_KINDS = [
  'Account',
  'UserSession',
  'Invitation',
  'ContentDefinition',
  'ApiToken',
  'Mail',
  'Webhook',
  'HookDelivery',
  'Person',
  'Face',
  'OauthClient',
] as const;
export type AuditTargetKind = (typeof AUDIT_TARGET_KINDS)[number];

/** Who changed something; `System` is the installation itself (its configuration, its command line). */
export type Actor = { kind: 'Account' | 'ApiToken'; id: string } | { kind: 'System' };

interface Author {
  /** Without an id, the owner of what is changed. */
  actor: Actor | { kind: 'Account'; id?: undefined };
  origin?: RequestFacts | undefined;
}
type RequestFacts = { traceId: string; address?: string | undefined };

const authors = new WeakMap<Executor, Author>();

/** Says who makes a transaction, for entries that the database writes by itself. */
export function setAuthor(tx: Transaction, author: Author): void {
  authors.set(tx, author);
}

/** Who makes a transaction; the installation itself unless `setAuthor` was called. */
export function authorOf(executor: Executor): Author {
  return authors.get(executor) ?? { actor: { kind: 'System' } };
}

export interface AuditEntry {
  action: AuditAction;
  actor: Actor;
  target: { kind: AuditTargetKind; id: string | undefined };
  /** What was changed, with the API’s field names: ids, numbers and keywords, never personal data or secrets. */
  details?: Record<string, unknown> | undefined;
}

/** Records changes in the transaction that makes them, so that the change and its entry are committed together. */
export async function append(
  tx: Transaction,
  entries: readonly AuditEntry[],
  origin: RequestFacts | undefined,
): Promise<void> {
  if (entries.length === 0) return;
  await query(
    tx,
    `insert into audit (id, action, actor_kind, actor_id, target_kind, target_id, details, ip_address, trace_id)
     select *, cast(:address as inet), :traceId
     from unnest(
       cast(:ids as uuid[]), cast(:actions as text[]), cast(:actorKinds as text[]), cast(:actorIds as uuid[]),
       cast(:targetKinds as text[]), cast(:targetIds as uuid[]), cast(:details as jsonb[]))`,
    {
      ids: entries.map(() => newId()),
      actions: entries.map(({ action }) => action),
      actorKinds: entries.map(({ actor }) => actor.kind),
      actorIds: entries.map(({ actor }) => (actor.kind === 'System' ? null : actor.id)),
      targetKinds: entries.map(({ target }) => target.kind),
      targetIds: entries.map(({ target }) => target.id ?? null),
      details: entries.map(({ details }) => JSON.stringify(details ?? {})),
      address: origin?.address ?? null,
      traceId: origin?.traceId ?? null,
    },
  );
}
