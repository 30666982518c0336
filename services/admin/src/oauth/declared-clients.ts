import { readFileSync } from 'node:fs';
import type { DeclaredClient } from '@gatehouse/accounts';
import { ConfigError } from '@gatehouse/runtime';
import { compile, Type, Uuid, type Static } from '@gatehouse/schema';
import { clientFaults, fieldsOf, NewClient, STANDARD, type ClientSurroundings } from './client-fields.ts';

/** An application of `OAUTH_CLIENTS`: as for registering one, with its ID and where its secret is (docs/openid.md). */
const Entry = Type.Object({
  Id: Uuid(),
  SecretFile: Type.Optional(Type.String({ minLength: 1 })),
  ...NewClient.properties,
});

/** 32 hexadecimal digits are 128 random bits. */
const SECRET_LENGTH_MIN = 32;

/**
 * Reads the applications of `OAUTH_CLIENTS`; `undefined` without this setting.
 *
 * @throws {ConfigError} that lists every error.
 */
export function readDeclaredClients(
  json: string | undefined,
  surroundings: ClientSurroundings,
): DeclaredClient[] | undefined {
  if (json === undefined) return undefined;
  const faults: string[] = [];
  const check = compile(Entry, { unknownFields: 'refuse' });
  const clients = parseList(json).flatMap((entry, at): DeclaredClient[] => {
    const problems = check(entry)?.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`) ?? [];
    // The check above has validated the entry.
    const read = problems.length > 0 ? problems : readEntry(entry as Static<typeof Entry>, surroundings);
    if (!Array.isArray(read)) return [read];
    faults.push(...read.map((fault) => `application ${at + 1}: ${fault}`));
    return [];
  });
  const ids = clients.map(({ id }) => id);
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) < at)))
    faults.push(`Id ${id} is used twice`);
  if (faults.length > 0) {
    throw new ConfigError(`Invalid OAUTH_CLIENTS, ${faults.length} error(s):\n  ${faults.join('\n  ')}`);
  }
  return clients;
}

function parseList(json: string): unknown[] {
  try {
    const list: unknown = JSON.parse(json);
    if (Array.isArray(list)) return list;
  } catch {
    // Reported below.
  }
  throw new ConfigError('OAUTH_CLIENTS must be a JSON array of applications');
}

function readEntry(entry: Static<typeof Entry>, surroundings: ClientSurroundings): DeclaredClient | string[] {
  const { Id: id, SecretFile: file, IsPublic: isPublic = false } = entry;
  const fields = { ...fieldsOf(entry, { ...STANDARD, name: entry.Name, isPublic }), isDeclared: true };
  const faults = clientFaults(fields, surroundings).map(
    ({ pointer, message }) => `${pointer.slice(1)} ${message}`,
  );
  if (isPublic && file !== undefined) faults.push('SecretFile does not go with IsPublic');
  if (!isPublic && file === undefined) faults.push('SecretFile is required unless IsPublic');
  const secret = isPublic || file === undefined ? undefined : readSecret(file);
  if (!isPublic && file !== undefined && secret === undefined)
    faults.push(`SecretFile cannot be read, or has fewer than ${SECRET_LENGTH_MIN} printable characters`);
  return faults.length > 0 ? faults : { ...fields, id, secret };
}

function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    return secret.length >= SECRET_LENGTH_MIN && /^[!-~]+$/.test(secret) ? secret : undefined;
  } catch {
    return undefined;
  }
}
