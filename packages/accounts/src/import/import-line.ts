import { readForeign, type FirebaseParameters, type ForeignPassword } from '@gatehouse/auth-core';
import { DisplayName, Email, Enum, Groups, NameOf, Text, Type, type Static } from '@gatehouse/schema';

/** An account exported from another system: with a password in one of four forms, or without one. */
export const ImportLine = Type.Object({
  Email: Email(),
  DisplayName: Type.Optional(DisplayName()),
  Role: Type.Optional(NameOf(['User', 'Admin'])),
  Groups: Type.Optional(Groups()),
  PasswordHash: Type.Optional(
    Type.String({
      format: 'plain-text',
      maxLength: 1024,
      writeOnly: true,
      description:
        'The hash of the password: bcrypt, argon2, scrypt or PBKDF2, in the format of the original system ' +
        '(docs/passwords.md)',
    }),
  ),
  PasswordSalt: Type.Optional(
    Type.String({
      format: 'plain-text',
      maxLength: 256,
      writeOnly: true,
      description: 'The salt of a hash exported from Firebase; requires the parameter `firebase`',
    }),
  ),
  CredentialData: Type.Optional(keycloakText('credentialData')),
  SecretData: Type.Optional(keycloakText('secretData')),
  PasswordDigest: Type.Optional(
    Type.Object(
      {
        Algorithm: Enum(['md5', 'sha1', 'sha256', 'sha512']),
        Salt: Type.Optional(Text(256)),
        SaltPosition: Type.Optional(
          Enum(['prefix', 'suffix'], { description: 'The position of the salt; `prefix` by default' }),
        ),
        Hash: Text(128, { description: 'In hexadecimal or Base64' }),
      },
      {
        title: 'PasswordDigest',
        writeOnly: true,
        description: 'A fast hash of salt and password; it is hashed again before it is stored',
      },
    ),
  ),
});

function keycloakText(name: string) {
  return Type.String({
    format: 'plain-text',
    maxLength: 4096,
    writeOnly: true,
    description: `\`${name}\` of a password exported from Keycloak, a JSON text`,
  });
}

export type LinePassword =
  | Exclude<ReturnType<typeof readForeign>, { kind: 'fault' }>
  | { kind: 'none' }
  | { kind: 'fault'; code: 'invalid_line' | 'hash_too_costly'; message: string };

/** The password of a line: how it was derived and the result, or why it is not accepted. */
export function readPassword(
  line: Static<typeof ImportLine>,
  firebase: FirebaseParameters | undefined,
): LinePassword {
  const given = passwordOf(line, firebase);
  if (given === undefined) return { kind: 'none' };
  if (typeof given === 'string') return { kind: 'fault', code: 'invalid_line', message: given };
  const reading = readForeign(given);
  if (reading.kind !== 'fault') return reading;
  const pointer = POINTERS[given.kind];
  return reading.fault === 'hash_too_costly'
    ? { kind: 'fault', code: 'hash_too_costly', message: `${pointer} costs more than one login may` }
    : { kind: 'fault', code: 'invalid_line', message: `${pointer} is in no supported format` };
}

const POINTERS: Record<ForeignPassword['kind'], string> = {
  hash: '/PasswordHash',
  firebase: '/PasswordHash',
  keycloak: '/CredentialData',
  digest: '/PasswordDigest',
};

/** The password data of a line; a message if its fields do not match each other. */
function passwordOf(
  line: Static<typeof ImportLine>,
  firebase: FirebaseParameters | undefined,
): ForeignPassword | string | undefined {
  const { PasswordHash: hash, PasswordSalt: salt, CredentialData, SecretData, PasswordDigest: digest } = line;
  const hasKeycloak = CredentialData !== undefined || SecretData !== undefined;
  if ([hash !== undefined, hasKeycloak, digest !== undefined].filter(Boolean).length > 1) {
    return '/PasswordHash, /CredentialData and /PasswordDigest do not go together';
  }
  if (salt !== undefined) {
    if (hash === undefined) return '/PasswordHash is required with /PasswordSalt';
    if (firebase === undefined) return '/PasswordSalt goes with the parameter firebase';
    return { kind: 'firebase', hash, salt, parameters: firebase };
  }
  if (hash !== undefined) return { kind: 'hash', hash };
  if (digest !== undefined) return { kind: 'digest', digest };
  if (!hasKeycloak) return undefined;
  if (CredentialData === undefined) return '/CredentialData is required with /SecretData';
  if (SecretData === undefined) return '/SecretData is required with /CredentialData';
  return { kind: 'keycloak', credentialData: CredentialData, secretData: SecretData };
}
