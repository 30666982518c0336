import { v7 as newId } from 'uuid';
import type { CountableRows } from './postgres/bounded-count.ts';
import { query, type Executor, type Transaction } from './postgres/connect.ts';
import { LAST_ID } from './postgres/last-id.ts';

/** All audited actions, as `target.what-happened`. */
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
  'user.invited',
  'user.removed',
  'guest.registered',
  'password.changed',
  'password.reset',
  'email.change-requested',
  'email.changed',
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
  'account.created',
  'account.registered',
  'account.contested',
  'account.verified',
  'account.changed',
  'account.reset-started',
  'account.two-factor-removed',
  'account.passkey-removed',
  'account.unlocked',
  'account.imported',
  'sso.linked',
  'sso.unlinked',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

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

export interface AuditEntry {
  action: AuditAction;
  actor: Actor;
  target: { kind: AuditTargetKind; id: string | undefined };
  /** What was changed, in the API’s names: ids, numbers and words, never personal data or secrets. */
  details?: Record<string, unknown> | undefined;
}

/** Records changes in the transaction that makes them, so that neither exists without the other. */
export async function append(
  tx: Transaction,
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

export interface AuditRecord {
  id: string;
  action: AuditAction;
  actorKind: Actor['kind'];
  actorId: string | null;
  targetKind: AuditTargetKind;
  targetId: string | null;
  at: Date;
  ipAddress: string | null;
  traceId: string | null;
  details: Record<string, unknown>;
}

/** Filters of entries; `from` is inclusive, `to` exclusive. */
export interface AuditFilter {
  actorId?: string | undefined;
  actorKind?: Actor['kind'] | undefined;
  targetId?: string | undefined;
  action?: AuditAction | undefined;
  /** Of the request that made the change. */
  traceId?: string | undefined;
  /** An address that was checked to be one. */
  ipAddress?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/**
 * The account that an entry about something else belongs to, in the exact text of the index. A session that its owner
 * ended belongs to the actor.
 */
const OWNER = `case when action = 'session.ended' then actor_id::text else details ->> 'UserId' end`;

/**
 * Up to `max` matching entries, newest first, after `beforeId`. Entries about an account include those about its
 * sessions, invitations and mails.
 */
export async function findNewest(
  executor: Executor,
  filter: AuditFilter,
  options: { beforeId: string | undefined; max: number },
): Promise<AuditRecord[]> {
  const selects = conditionsOf(filter).map(
    (conditions) =>
      `(select id, action, actor_kind as "actorKind", actor_id as "actorId", target_kind as "targetKind",
         target_id as "targetId", at, host(ip_address) as "ipAddress", trace_id as "traceId", details
       from audit
       where ${['id < :beforeId', ...conditions].join(' and ')}
       order by id desc
       limit :max)`,
  );
  return await query<AuditRecord>(
    executor,
    selects.length === 1 ? (selects[0] ?? '') : `${selects.join(' union all ')} order by id desc limit :max`,
    { ...filter, beforeId: options.beforeId ?? LAST_ID, max: options.max },
  );
}

/** All entries that the filter lets through, to be counted. */
export function rowsOf(filter: AuditFilter): CountableRows {
  const selects = conditionsOf(filter).map(
    (conditions) => `select 1 from audit where ${['true', ...conditions].join(' and ')}`,
  );
  return { sql: selects.join(' union all '), bindings: { ...filter } };
}

/** What entries are held to. Where there are two lists, no entry fits both, and each has an index of its own. */
function conditionsOf(filter: AuditFilter): string[][] {
  const all: string[] = [];
  if (filter.actorId !== undefined) all.push('actor_id = :actorId');
  if (filter.action !== undefined) all.push('action = :action');
  if (filter.actorKind !== undefined) all.push('actor_kind = :actorKind');
  if (filter.traceId !== undefined) all.push('trace_id = :traceId');
  if (filter.ipAddress !== undefined) all.push('ip_address = cast(:ipAddress as inet)');
  if (filter.from !== undefined) all.push('at >= :from');
  if (filter.to !== undefined) all.push('at < :to');
  if (filter.targetId === undefined) return [all];
  // Nothing else has the id of an account.
  const isOfIt = `target_kind <> 'Account' and ${OWNER} = cast(:targetId as uuid)::text`;
  return [
    [...all, 'target_id = :targetId'],
    [...all, isOfIt],
  ];
}
