import { readFileSync } from 'node:fs';

/**
 * Kinds of authenticators by their AAGUID, as published by their makers (docs/passkeys.md#names). The names are read
 * from a file, without asking any server.
 */
const NAMES = JSON.parse(
  readFileSync(new URL('authenticator-names.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>; // the file is ours

/** The default name of a new passkey: the kind of its authenticator, if known. */
export function authenticatorName(aaguid: string | undefined): string {
  return (aaguid === undefined ? undefined : NAMES[aaguid]) ?? 'Passkey';
}
