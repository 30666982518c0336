import { readFileSync } from 'node:fs';
import { write, type AccountsDeps, type WriteTransaction } from '@gatehouse/accounts';
import { clientSessions, query } from '@gatehouse/db';
import { ConfigError, jsonIn, type Lifecycle } from '@gatehouse/runtime';
import { compile, Optional, Type, Uuid, type Problem, type Static } from '@gatehouse/schema';
import { Audited, clientFaults, differencesOf, NEW_CLIENT, settingsOf, STANDARD } from './client-settings.ts';
import type { ClientSettings, ClientSurroundings } from './client-settings.ts';
import { Client, removeClient } from './client.ts';

interface DeclaredClient {
  id: string;
  settings: ClientSettings;
  /** Without one it is public. */
  secret: string | undefined;
}

/** An application of `OAUTH_CLIENTS`: as for registering one, with its ID and where its secret is (docs/openid.md). */
const Entry = Type.Object({
  Id: Uuid(),
  SecretFile: Optional.String({ minLength: 1 }),
  ...NEW_CLIENT,
});

/** 32 hexadecimal digits are 128 random bits. */
const SECRET_LENGTH_MIN = 32;

/** `undefined` without `OAUTH_CLIENTS`; a `ConfigError` lists every error. */
export function readDeclaredClients(json: string | undefined, surroundings: ClientSurroundings) {
  if (json === undefined) return undefined;
  const list = jsonIn(json);
  if (!Array.isArray(list)) throw new ConfigError('OAUTH_CLIENTS must be a JSON array of applications');
  const faults: string[] = [];
  const check = compile(Entry, { unknownFields: 'refuse' });
  const clients = list.flatMap((entry: unknown, at): DeclaredClient[] => {
    const problems = check(entry)?.map(lineOf) ?? [];
    // The check above has validated the entry.
    const read = problems.length > 0 ? problems : readEntry(entry as Static<typeof Entry>, surroundings);
    if (!Array.isArray(read)) return [read];
    faults.push(...read.map((fault) => `application ${at + 1}: ${fault}`));
    return [];
  });
  const ids = clients.map(({ id }) => id);
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) < at)))
    faults.push(`Id ${id} is used twice`);
  if (faults.length > 0)
    throw new ConfigError(`Invalid OAUTH_CLIENTS, ${faults.length} error(s):\n  ${faults.join('\n  ')}`);
  return clients;
}

function readEntry(entry: Static<typeof Entry>, surroundings: ClientSurroundings): DeclaredClient | string[] {
  const { Id: id, SecretFile: file, ...given } = entry;
  const settings = settingsOf(given, { ...STANDARD, name: given.Name, isDeclared: true });
  const { isPublic } = settings;
  const faults = clientFaults(settings, surroundings).map(lineOf);
  if (isPublic && file !== undefined) faults.push('SecretFile does not go with IsPublic');
  if (!isPublic && file === undefined) faults.push('SecretFile is required unless IsPublic');
  const secret = isPublic || file === undefined ? undefined : readSecret(file);
  if (!isPublic && file !== undefined && secret === undefined)
    faults.push(`SecretFile cannot be read, or has fewer than ${SECRET_LENGTH_MIN} printable characters`);
  return faults.length > 0 ? faults : { id, settings, secret };
}

function lineOf({ pointer, message }: Problem): string {
  return `${pointer.slice(1)} ${message}`;
}

function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    return secret.length >= SECRET_LENGTH_MIN && /^[!-~]+$/.test(secret) ? secret : undefined;
  } catch {
    return undefined;
  }
}

const LOOK_SECONDS = 1;
/** Lets only one transaction at a time declare the clients of the installation's file. */
const LOCK = 7_114_201_984;

/**
 * Makes the declared clients those of the installation's file, as soon as the database and its tables exist: adds and
 * changes them, and deletes those that the file has no more, with their client sessions. Where the file itself is missing,
 * which happens when a mount or a setting is forgotten, they stay.
 */
export function declareClients(
  deps: AccountsDeps,
  declared: readonly DeclaredClient[] | undefined,
  lifecycle: Pick<Lifecycle, 'every'>,
): void {
  let isDone = false;
  lifecycle.every(LOOK_SECONDS, 'declaring the applications of OAUTH_CLIENTS', async () => {
    if (isDone) return;
    const clientIds = declared ? [] : (await Client.rows(deps.db, DECLARED, [])).map(({ id }) => id);
    if (clientIds.length > 0)
      deps.log.warn('OAUTH_CLIENTS is missing, applications that it declared are kept', { clientIds });
    if (declared !== undefined) await applyDeclared(deps, declared);
    isDone = true;
  });
}

const DECLARED = 'where is_declared order by id';

/** Any number of processes may do so at once: the lock makes them wait for each other. */
async function applyDeclared(deps: AccountsDeps, declared: readonly DeclaredClient[]): Promise<void> {
  const hashOf = ({ secret }: DeclaredClient) =>
    secret === undefined ? null : deps.clientSecrets.hash(secret);
  const wanted = declared.map((client) => ({ client, secretHash: hashOf(client) }));
  const target = { kind: 'OauthClient', id: undefined } as const;
  await write(deps, { actor: { kind: 'System' }, target }, async (tx) => {
    await query(tx, 'select pg_advisory_xact_lock(?)', [LOCK]);
    const ids = new Set(declared.map(({ id }) => id));
    for (const { id, name } of await Client.rows(tx, DECLARED, [])) {
      if (ids.has(id)) continue;
      await removeClient(tx, id);
      tx.audit('client.deleted', { Name: name }, id);
    }
    for (const { client, secretHash } of wanted) await declareOne(tx, client, secretHash);
  });
}

async function declareOne(tx: WriteTransaction, { id, settings }: DeclaredClient, secretHash: Buffer | null) {
  const before = await Client.lock(tx, id);
  if (before === undefined) {
    tx.audit('client.created', Audited.answer(await Client.insert(tx, { id, ...settings, secretHash })), id);
    return;
  }
  const changed = differencesOf(before, settings);
  const { isPublic, ...others } = settings;
  // The table allows a public client less: it gets less first, and a secret before it gets more.
  if (isPublic) await Client.update(tx, id, others);
  if (await declareSecret(tx, id, secretHash)) tx.audit('client.rotated', { OverlapSeconds: 0 }, id);
  if (Object.keys(changed).length === 0) return;
  await Client.update(tx, id, others);
  await clientSessions.removeNotLetIn(tx, { clientId: id });
  tx.audit('client.changed', changed, id);
}

/** Gives a client the secret that the file declares, and whether it is public; the earlier secret works no more. */
async function declareSecret(tx: WriteTransaction, id: string, secretHash: Buffer | null) {
  const sql = `update oauth_client
    set is_public = cast(:secretHash as bytea) is null, secret_hash = :secretHash, previous_secret_hash = null,
      previous_secret_expires_at = null
    where id = :id and secret_hash is distinct from :secretHash
    returning id`;
  return await query.any(tx, sql, { id, secretHash });
}
