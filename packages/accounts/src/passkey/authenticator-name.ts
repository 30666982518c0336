import { readFileSync } from 'node:fs';

/**
 * Kinds of authenticators by their AAGUID, as their makers publish it (docs/passkeys.md#names): facts, a few dozen of them, read
 * here and asked of nobody.
 */
const NAMES = JSON.parse(
  readFileSync(new URL('authenticator-names.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>; // the file is ours

/** The default name of a new passkey: the kind of its authenticator, if known. */
export function authenticatorName(aaguid: string | undefined): string {
  return (aaguid === undefined ? undefined : NAMES[aaguid]) ?? 'Passkey';
}
