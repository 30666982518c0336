import { compile, Type, type Static } from '@gatehouse/schema';
import { fromBase64, fromDigits } from './encodings.ts';
import { argon2Of } from './read-argon2.ts';
import { pbkdf2Of } from './read-pbkdf2.ts';
import { UNKNOWN, type ForeignReading } from './reading.ts';

const CredentialData = Type.Object({
  algorithm: Type.String(),
  hashIterations: Type.Integer({ minimum: 1 }),
  additionalParameters: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});
const SecretData = Type.Object({ value: Type.String(), salt: Type.String() });

const checkCredential = compile(CredentialData, { unknownFields: 'drop' });
const checkSecret = compile(SecretData, { unknownFields: 'drop' });

const PBKDF2 = { pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' } as const;

/** A password as in a realm's export: two JSON texts, `credentialData` and `secretData`. */
export function readKeycloak(credentialData: string, secretData: string): ForeignReading {
  const [credential, secret] = [parse(credentialData), parse(secretData)];
  if (checkCredential(credential) !== undefined || checkSecret(secret) !== undefined) return UNKNOWN;
  // Validated above.
  const {
    algorithm,
    hashIterations,
    additionalParameters = {},
  } = credential as Static<typeof CredentialData>;
  const { value, salt: encodedSalt } = secret as Static<typeof SecretData>;
  const [salt, digest] = [fromBase64(encodedSalt), fromBase64(value)];
  if (salt === undefined || digest === undefined) return UNKNOWN;
  if (algorithm === 'pbkdf2' || algorithm === 'pbkdf2-sha256' || algorithm === 'pbkdf2-sha512') {
    return pbkdf2Of(PBKDF2[algorithm], hashIterations, salt, digest);
  }
  if (algorithm !== 'argon2') return UNKNOWN;
  const parameter = (name: string) => additionalParameters[name]?.[0];
  const [memory, lanes] = [fromDigits(parameter('memory')), fromDigits(parameter('parallelism'))];
  const version = parameter('version') === '1.0' ? 16 : 19;
  if (memory === undefined || lanes === undefined) return UNKNOWN;
  const length = parameter('hashLength');
  if (length !== undefined && fromDigits(length) !== digest.length) return UNKNOWN;
  const type = parameter('type') ?? 'id';
  return argon2Of({ type, version, memory, passes: hashIterations, lanes, salt, digest });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
