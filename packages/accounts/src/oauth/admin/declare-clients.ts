import {
  audit,
  clientSessionAdmin,
  inTransaction,
  oauthClients,
  type OAuthClientFields,
  type Transaction,
} from '@gatehouse/db';
import { NO_DEADLINE, type Lifecycle } from '@gatehouse/runtime';
import type { AccountsDeps } from '../../deps.ts';
import { entryOf } from './administer-clients.ts';
import { auditedClient, clientDifferences } from './client-audit.ts';

/** A client of the installation's file. Without a secret it is public. */
export type DeclaredClient = OAuthClientFields & { id: string; secret: string | undefined };

const LOOK_SECONDS = 1;
const SYSTEM = { kind: 'System' } as const;

/**
 * Makes the declared clients those of the installation's file, as soon as the database and its tables exist: adds and
 * changes them, and deletes those that the file has no more, with their client sessions. Where the file itself is missing,
 * which happens when a mount or a setting is forgotten, they stay.
 */
export function declareClients(
  deps: Pick<AccountsDeps, 'db' | 'clientSecrets' | 'log'>,
  declared: readonly DeclaredClient[] | undefined,
  lifecycle: Pick<Lifecycle, 'every'>,
): void {
  let isDone = false;
  lifecycle.every(LOOK_SECONDS, 'declaring the applications of OAUTH_CLIENTS', async () => {
    if (isDone) return;
    if (declared === undefined) await warnOfKept(deps);
    else await applyDeclared(deps, declared);
    isDone = true;
  });
}

async function warnOfKept({ db, log }: Pick<AccountsDeps, 'db' | 'log'>): Promise<void> {
  const clientIds = (await oauthClients.findDeclared(db)).map(({ id }) => id);
  if (clientIds.length > 0)
    log.warn('OAUTH_CLIENTS is missing, applications that it declared are kept', { clientIds });
}

/** Does it now; any number of processes may do so at once. */
async function applyDeclared(
  { db, clientSecrets }: Pick<AccountsDeps, 'db' | 'clientSecrets'>,
  declared: readonly DeclaredClient[],
): Promise<void> {
  const wanted = declared.map(({ secret, ...client }) => ({
    ...client,
    secretHash: secret === undefined ? null : clientSecrets.hash(secret),
  }));
  await inTransaction(db, NO_DEADLINE, async (tx) => {
    await oauthClients.lockDeclared(tx);
    const ids = new Set(wanted.map(({ id }) => id));
    for (const gone of await oauthClients.findDeclared(tx)) {
      if (ids.has(gone.id)) continue;
      await oauthClients.remove(tx, gone.id);
      await audit.append(tx, [entryOf('client.deleted', gone.id, SYSTEM, { Name: gone.name })], undefined);
    }
    for (const client of wanted) await declareOne(tx, client);
  });
}

async function declareOne(
  tx: Transaction,
  client: OAuthClientFields & { id: string; secretHash: Buffer | null },
): Promise<void> {
  const { id, secretHash } = client;
  const before = await oauthClients.lock(tx, id);
  if (before === undefined) {
    const added = await oauthClients.insert(tx, client);
    await audit.append(tx, [entryOf('client.created', id, SYSTEM, auditedClient(added))], undefined);
    return;
  }
  const changed = clientDifferences(before, client);
  // The table allows a public client less: it gets less first, and a secret before it gets more.
  if (client.isPublic) await oauthClients.update(tx, id, client);
  if (await oauthClients.declareSecret(tx, id, secretHash))
    await audit.append(tx, [entryOf('client.rotated', id, SYSTEM, { OverlapSeconds: 0 })], undefined);
  if (Object.keys(changed).length === 0) return;
  await oauthClients.update(tx, id, client);
  await clientSessionAdmin.removeNotLetIn(tx, { clientId: id });
  await audit.append(tx, [entryOf('client.changed', id, SYSTEM, changed)], undefined);
}
