import { accountOf, entriesIn, fullName, isEntry, listed, type Converter, type Entry } from './conversion.ts';

/** Keycloak: realms, or the users of one, as of `kc.sh export --users same_file` (or `different_files`). */
export const keycloak: Converter = {
  entriesOf: (file) => {
    if (!Array.isArray(file)) return isEntry(file) ? listed(file['users']) : undefined;
    const realms = entriesIn(file).filter(({ users }) => Array.isArray(users));
    return realms.length === 0 ? undefined : listed(realms.flatMap(({ users }) => users));
  },
  convert: (entry) => {
    if (entry['serviceAccountClientId'] !== undefined) return { kind: 'left_out', why: 'not a person' };
    const credentials = entriesIn(entry['credentials']);
    const given = credentials.find(({ type }) => type === 'password');
    const password = given && passwordOf(given);
    const others = credentials.filter(({ type }) => type !== 'password');
    return accountOf({
      email: entry['email'],
      isVerified: entry['emailVerified'] === true,
      isClosed: entry['enabled'] !== true,
      name: fullName(entry['firstName'], entry['lastName']),
      isToBeChanged: given?.['temporary'] === true || mustUpdatePassword(entry['requiredActions']),
      password,
      notes: [
        ...others.map(({ type }) => `a credential of the type ${String(type)}`),
        ...(given !== undefined && password === undefined ? ['a password in another form'] : []),
      ],
    });
  },
  marks: [
    ['enabled', 'emailVerified'],
    ['enabled', 'credentials'],
  ],
  fields: (
    'id username email emailVerified enabled firstName lastName credentials createdTimestamp ' +
    'serviceAccountClientId totp notBefore disableableCredentialTypes'
  ).split(' '),
};

/** Whether an administrator requires a new password, for example after a leak or for an initial password. */
function mustUpdatePassword(actions: unknown): boolean {
  return Array.isArray(actions) && actions.includes('UPDATE_PASSWORD');
}

function passwordOf({ credentialData, secretData }: Entry) {
  return typeof credentialData === 'string' && typeof secretData === 'string'
    ? { CredentialData: credentialData, SecretData: secretData }
    : undefined;
}
