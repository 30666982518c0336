import {
  audit,
  clientSessionAdmin,
  clientSessions,
  inTransaction,
  oauthClients,
  type Actor,
  type AuditEntry,
  type OAuthClient,
  type OAuthClientFields,
} from '@gatehouse/db';
import type { Problem } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from '../../deps.ts';
import { auditedClient, clientDifferences, raisesRights } from './client-audit.ts';

/** Who administers clients, for which request. */
export interface ClientOrder {
  actor: Actor;
  origin: Origin;
}

/** `declared`: it comes from the installation's file, and is only changed there. */
export type ClientRefusal = { kind: 'unknown' } | { kind: 'declared' };

/** Registers a client. Only this result contains its secret; a public client has none. */
export async function registerClient(
  deps: Pick<AccountsDeps, 'db' | 'clientSecrets'>,
  fields: OAuthClientFields,
  { actor, origin }: ClientOrder,
): Promise<{ client: OAuthClient; secret: string | undefined }> {
  const issued = fields.isPublic ? undefined : deps.clientSecrets.issue();
  return inTransaction(deps.db, origin, async (tx) => {
    const client = await oauthClients.insert(tx, {
      ...fields,
      id: newId(),
      secretHash: issued?.hash ?? null,
    });
    const details = auditedClient(client);
    await audit.append(tx, [entryOf('client.created', client.id, actor, details)], origin);
    return { client, secret: issued?.secret };
  });
}

/**
 * Changes a client. People whom it lets in no more are signed out of it before this returns. `unproven`: the change
 * raises its rights, which requires a fresh proof of the administrator's identity. `plan` returns the new fields, or
 * what is wrong with them.
 */
export async function changeClient(
  { db }: Pick<AccountsDeps, 'db'>,
  id: string,
  plan: (before: OAuthClient) => OAuthClientFields | Problem[],
  { actor, origin, isUnproven }: ClientOrder & { isUnproven: boolean },
): Promise<ChangedClient> {
  return inTransaction<ChangedClient>(db, origin, async (tx) => {
    const before = await oauthClients.lock(tx, id);
    if (before === undefined) return { kind: 'unknown' };
    if (before.isDeclared) return { kind: 'declared' };
    const fields = plan(before);
    if ('length' in fields) return { kind: 'invalid', errors: fields };
    if (isUnproven && raisesRights(before, fields)) return { kind: 'unproven' };
    const client = (await oauthClients.update(tx, id, fields)) ?? before;
    const changed = clientDifferences(before, client);
    if (Object.keys(changed).length > 0) {
      await clientSessionAdmin.removeNotLetIn(tx, { clientId: id });
      await audit.append(tx, [entryOf('client.changed', id, actor, changed)], origin);
    }
    return { kind: 'changed', client };
  });
}

type ChangedClient =
  | { kind: 'changed'; client: OAuthClient }
  | { kind: 'unproven' }
  | { kind: 'invalid'; errors: Problem[] }
  | ClientRefusal;

/** Gives a client a new secret. The earlier one works for `overlapSeconds` more. `public`: it has none. */
export async function rotateClientSecret(
  { db, clientSecrets }: Pick<AccountsDeps, 'db' | 'clientSecrets'>,
  { id, overlapSeconds }: { id: string; overlapSeconds: number },
  { actor, origin }: ClientOrder,
): Promise<{ kind: 'rotated'; client: OAuthClient; secret: string } | { kind: 'public' } | ClientRefusal> {
  const { secret, hash: secretHash } = clientSecrets.issue();
  return inTransaction<
    { kind: 'rotated'; client: OAuthClient; secret: string } | { kind: 'public' } | ClientRefusal
  >(db, origin, async (tx) => {
    const before = await oauthClients.lock(tx, id);
    if (before === undefined) return { kind: 'unknown' };
    if (before.isDeclared) return { kind: 'declared' };
    if (before.isPublic) return { kind: 'public' };
    await oauthClients.rotateSecret(tx, id, { secretHash, overlapSeconds });
    const details = { OverlapSeconds: overlapSeconds };
    await audit.append(tx, [entryOf('client.rotated', id, actor, details)], origin);
    return { kind: 'rotated', client: (await oauthClients.find(tx, id)) ?? before, secret };
  });
}

/** Deletes a client. Everybody is signed out of it before this returns. */
export async function deleteClient(
  { db }: Pick<AccountsDeps, 'db'>,
  id: string,
  { actor, origin }: ClientOrder,
): Promise<{ kind: 'deleted' } | ClientRefusal> {
  return inTransaction<{ kind: 'deleted' } | ClientRefusal>(db, origin, async (tx) => {
    const before = await oauthClients.lock(tx, id);
    if (before === undefined) return { kind: 'unknown' };
    if (before.isDeclared) return { kind: 'declared' };
    await oauthClients.remove(tx, id);
    await audit.append(tx, [entryOf('client.deleted', id, actor, { Name: before.name })], origin);
    return { kind: 'deleted' };
  });
}

/** Signs somebody out of a client; the session itself goes on. `false`: there is no such client session. */
export async function endClientSession(
  { db }: Pick<AccountsDeps, 'db'>,
  of: { id: string; clientId: string },
  { actor, origin }: ClientOrder,
): Promise<boolean> {
  return inTransaction(db, origin, async (tx) => {
    const removed = await clientSessions.removeOfClient(tx, of);
    if (removed === undefined) return false;
    const target = { kind: 'OauthClient', id: of.clientId } as const;
    const details = { SessionId: removed.sessionId, UserId: removed.accountId };
    await audit.append(tx, [{ action: 'app.signed-out', actor, target, details }], origin);
    return true;
  });
}

/** The audit entry of what happened to a client. */
export function entryOf(
  action: 'client.created' | 'client.changed' | 'client.rotated' | 'client.deleted',
  id: string,
  actor: Actor,
  details: Record<string, unknown>,
): AuditEntry {
  return { action, actor, target: { kind: 'OauthClient', id }, details };
}
