import { v7 as newId } from 'uuid';
import { query, type Executor } from './connect.ts';

/** Everything that the audit tells of, as `target.what-happened`. */
export const AUDIT_ACTIONS = ['content.created', 'content.changed', 'content.deleted'] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What a change can be made to. */
export const AUDIT_TARGET_KINDS = [
  'Account',
  'UserSession',
  'Invitation',
  'ContentDefinition',
  'ApiToken',
  'Mail',
  'Person',
  'Face',
] as const;
export type AuditTargetKind = (typeof AUDIT_TARGET_KINDS)[number];

/** Who changed something; `System` is the installation itself (its configuration, its command line). */
export type Actor = { kind: 'Account' | 'ApiToken'; id: string } | { kind: 'System' };

/** A change, as it is recorded. */
export interface AuditEntry {
  action: AuditAction;
  actor: Actor;
  target: { kind: AuditTargetKind; id: string | undefined };
  /** What was changed, in the contract's own names; ids, numbers and words, never personal data or secrets. */
  details?: Record<string, unknown> | undefined;
}

/** Records changes, in the transaction that makes them: there is never one without the other. */
export async function append(
  tx: Executor,
  entries: readonly AuditEntry[],
  origin: { traceId: string; address?: string | undefined } | undefined,
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
