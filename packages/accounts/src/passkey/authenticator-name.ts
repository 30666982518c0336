import names from './authenticator-names.json' with { type: 'json' };

/**
 * Kinds of authenticators by their AAGUID, as published by their makers (docs/passkeys.md#names). The names are read
 * from a file, without asking any server.
 */
const NAMES: Readonly<Record<string, string>> = names;

/** The default name of a new passkey: the kind of its authenticator, if known. */
export function authenticatorName(aaguid: string | undefined): string {
  return (aaguid === undefined ? undefined : NAMES[aaguid]) ?? 'Passkey';
}
