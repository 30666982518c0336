import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { systemOf, type ImportLine } from '@gatehouse/intake';
import { fieldsOf, useFolder } from '@gatehouse/runtime/testing';
import { readExport } from './read-export.ts';

const BCRYPT = `$2b$10$${'a'.repeat(53)}`;
const KEYCLOAK = {
  CredentialData: '{"hashIterations":27500,"algorithm":"pbkdf2-sha256"}',
  SecretData: '{"value":"aGFzaA==","salt":"c2FsdA=="}',
};
const ANN = { Email: 'ann@example.com', DisplayName: 'Ann Lee' };
const NAMED = { firstName: 'Ann', lastName: 'Lee', requiredActions: [] };
const FEDERATED = { federatedIdentities: [{ identityProvider: 'google' }] };
const [GOLD, PHONE] = [{ plan: 'gold' }, '+441632960001'];

/** An export of each system with the same users: Ann, a closed one, an unverified one, and one without an address. */
const EXPORTS: Record<string, { file: unknown; ann: ImportLine; leftOut?: object; notCarried?: object }> = {
  keycloak: {
    file: {
      realm: 'shop',
      users: [
        { ...keycloakUser('ann@example.com'), ...NAMED, ...FEDERATED },
        { ...keycloakUser('closed@example.com'), enabled: false },
        { ...keycloakUser('new@example.com'), emailVerified: false },
        { ...keycloakUser(undefined) },
        { ...keycloakUser('robot@example.com'), serviceAccountClientId: 'shop-api' },
      ],
    },
    ann: { ...ANN, ...KEYCLOAK },
    leftOut: { 'not a person': 1 },
    notCarried: { 'a credential of the type otp': 2, 'the field federatedIdentities': 1 },
  },
  auth0: {
    file: [
      { ...auth0User('ann@example.com'), _id: { $oid: '1' }, name: 'Ann Lee', app_metadata: GOLD },
      { ...auth0User('closed@example.com'), blocked: true },
      { ...auth0User('new@example.com'), email_verified: false },
      auth0User(undefined),
    ],
    ann: { ...ANN, PasswordHash: BCRYPT },
    notCarried: { 'the field app_metadata': 1, 'whether it is blocked, as the file has no profile of it': 1 },
  },
  firebase: {
    file: {
      users: [
        { ...firebaseUser('ann@example.com'), displayName: 'Ann Lee', mfaInfo: [{ mfaEnrollmentId: '1' }] },
        { ...firebaseUser('closed@example.com'), disabled: true },
        { ...firebaseUser('new@example.com'), emailVerified: false },
        firebaseUser(undefined),
      ],
    },
    ann: { ...ANN, PasswordHash: 'aGFzaA==', PasswordSalt: 'c2FsdA==' },
    notCarried: { 'the field mfaInfo': 1 },
  },
  supabase: {
    file: [
      { ...supabaseUser('ann@example.com'), raw_user_meta_data: { full_name: 'Ann Lee' }, phone: PHONE },
      { ...supabaseUser('closed@example.com'), banned_until: '2999-01-01T00:00:00Z' },
      { ...supabaseUser('new@example.com'), email_confirmed_at: null },
      supabaseUser(undefined),
    ],
    ann: { ...ANN, PasswordHash: BCRYPT },
    notCarried: { 'the field phone': 1 },
  },
  cognito: {
    file: {
      Users: [
        cognitoUser('ann@example.com', { given_name: 'Ann', family_name: 'Lee', 'custom:plan': 'gold' }),
        { ...cognitoUser('closed@example.com'), Enabled: false },
        cognitoUser('new@example.com', { email_verified: 'false' }),
        cognitoUser(undefined),
      ],
    },
    ann: ANN,
    notCarried: { 'the attribute custom:plan': 1 },
  },
  django: {
    file: [
      { ...djangoUser('ann@example.com', { first_name: 'Ann', last_name: 'Lee', is_superuser: true }) },
      djangoUser('closed@example.com', { is_active: false }),
      djangoUser('new@example.com'),
      djangoUser(''),
      { model: 'auth.group', pk: 1, fields: { name: 'staff' } },
      djangoAddress('Ann@example.com', true),
      djangoAddress('new@example.com', false),
    ],
    ann: { ...ANN, PasswordHash: 'pbkdf2_sha256$600000$salt$aGFzaA==' },
    leftOut: { 'not an account': 1 },
    notCarried: { 'the right is_superuser': 1 },
  },
  'better-auth': {
    file: {
      user: [
        { id: '1', email: 'ann@example.com', emailVerified: 1, name: 'Ann Lee', twoFactorEnabled: true },
        { id: '2', email: 'closed@example.com', emailVerified: true, banned: 1 },
        { id: '3', email: 'new@example.com', email_verified: false },
        { id: '4', emailVerified: true },
      ],
      account: [
        { userId: '1', providerId: 'credential', password: 'salt:key' },
        { user_id: '3', provider_id: 'credential', password: 'salt:key' },
        { userId: '1', providerId: 'google', password: null },
      ],
    },
    ann: { ...ANN, PasswordHash: 'salt:key' },
    notCarried: { 'a second factor': 1 },
  },
};

describe('exports of other systems', () => {
  const write = exportFile();

  for (const [system, { file, ann, leftOut, notCarried }] of Object.entries(EXPORTS))
    it(`of ${system} are recognised and converted, without closed accounts and unverified passwords, with counts of what is lost`, () => {
      const found = readExport(write(JSON.stringify(file)), system);
      assert.deepEqual(fieldsOf(found.lines, 'place', 'line'), [
        ['entry 1', ann],
        ['entry 3', { Email: 'new@example.com' }],
      ]);
      assert.equal(systemOf(JSON.parse(JSON.stringify(file))), system);
      assert.deepEqual(Object.fromEntries(found.leftOut), {
        'disabled or deleted': 1,
        'without an email address': 1,
        ...leftOut,
      });
      const dropped = system === 'cognito' ? {} : { 'a password, as the address is not verified': 1 };
      assert.deepEqual(Object.fromEntries(found.notCarried), { ...dropped, ...notCarried });
    });

  it('of Django without verified addresses are accepted, and unusable passwords ignored', () => {
    const file = [djangoUser('ann@example.com'), djangoUser('ben@example.com', { password: '!x9f' })];
    const { lines } = readExport(write(JSON.stringify(file)), 'django');
    const shown = lines.map(({ line }) => line.PasswordHash);
    assert.deepEqual(shown, ['pbkdf2_sha256$600000$salt$aGFzaA==', undefined]);
  });

  it('are refused in other formats', () => {
    const refusals: [text: string, system: string, message: RegExp][] = [
      ['{}', 'keycloak', /is not an export of keycloak/],
      ['{"users":{}}', 'firebase', /is not an export of firebase/],
      ['{}', 'auth0', /is not an export of auth0/],
      ['{"user":1}', 'better-auth', /is not an export of better-auth/],
      ['[]', 'okta', /--from okta is unknown/],
    ];
    for (const [text, system, message] of refusals)
      assert.throws(() => readExport(write(text), system), message, `${system}: ${text}`);
  });

  it('of any content never throw: values of a wrong type are ignored', () => {
    const odd = [null, 1, 'x', [], {}, { fields: 1, model: 'auth.user' }, { email: 1, Attributes: 1 }];
    for (const [system, list] of Object.entries({
      ...{ keycloak: { users: odd }, firebase: { users: odd }, cognito: { Users: odd } },
      ...{ auth0: odd, supabase: odd, django: odd, 'better-auth': { user: odd, account: odd } },
    }))
      assert.deepEqual(readExport(write(JSON.stringify(list)), system).lines, [], system);
  });
});

describe('the file of an export', () => {
  const write = exportFile();
  const read = (bytes: string | Buffer) => readExport(write(bytes), 'auth0');
  const user = (name: string): string =>
    JSON.stringify({ email: `${name}@example.com`, email_verified: true });
  const found = (bytes: string | Buffer) => read(bytes).lines.map(({ place, line }) => [place, line.Email]);

  it('has its valid lines read, with their numbers, despite invalid ones, even the first', () => {
    const text = [user('ann'), '', '{"email":"cut@exa', user('ben'), 'x', user('cleo')].join('\r\n');
    assert.deepEqual(read(`${text}\r\n`).faults, ['line 3', 'line 5']);
    assert.deepEqual(found(`${text}\r\n`), [
      ['line 1', 'ann@example.com'],
      ['line 4', 'ben@example.com'],
      ['line 6', 'cleo@example.com'],
    ]);
    const second = read(`oops\n${user('ann')}\n`);
    assert.deepEqual([second.lines.length, second.faults], [1, ['line 1']]);
  });

  it('may have a byte order mark, or be UTF-16, as from Windows shells', () => {
    const expected = [['entry 1', 'ann@example.com']];
    assert.deepEqual(found(`\ufeff[${user('ann')}]`), expected);
    assert.deepEqual(found(Buffer.from(`\ufeff[${user('ann')}]`, 'utf16le')), expected);
    assert.deepEqual(found(`\ufeff${user('ann')}\r\n${user('ben')}`), [
      ['line 1', 'ann@example.com'],
      ['line 2', 'ben@example.com'],
    ]);
  });

  it('is refused in another encoding, which would corrupt names', () =>
    assert.throws(() => read(Buffer.from('[{"name":"Müller"}]', 'latin1')), /is not UTF-8/));

  it('is refused if malformed, with line and column but no content', () => {
    const broken = JSON.stringify([JSON.parse(user('ann')), { secret: '$2b$10$hash' }], null, 2);
    for (const [text, message] of [
      [broken.slice(0, -10), /is no JSON: it ends too early$/],
      [broken.replace('},', '}'), /is no JSON from line 6, column 3 on$/],
      [`${broken}\n${broken}`, /is no JSON from line 10, column 1 on$/],
    ] as const)
      assert.throws(
        () => read(text),
        (error: Error) => message.test(error.message) && !JSON.stringify(error).includes('hash'),
      );
  });

  it('may have a line of megabytes', () => {
    const long = JSON.stringify({ email: 'ann@example.com', app_metadata: 'x'.repeat(20_000_000) });
    assert.deepEqual(found(`${long}\n${user('ben')}`), [
      ['line 1', 'ann@example.com'],
      ['line 2', 'ben@example.com'],
    ]);
  });
});

function exportFile() {
  const pathOf = useFolder();
  return (content: string | Buffer): string => {
    const file = pathOf('export.json');
    writeFileSync(file, content);
    return file;
  };
}

function keycloakUser(email: string | undefined) {
  const { CredentialData: credentialData, SecretData: secretData } = KEYCLOAK;
  const credentials = [{ type: 'password', credentialData, secretData }, { type: 'otp' }];
  return { id: '1', username: 'x', email, emailVerified: true, enabled: true, credentials };
}

function auth0User(email: string | undefined) {
  return { email, email_verified: true, passwordHash: BCRYPT };
}

function firebaseUser(email: string | undefined) {
  return { localId: '1', email, emailVerified: true, passwordHash: 'aGFzaA==', salt: 'c2FsdA==' };
}

function supabaseUser(email: string | undefined) {
  return { id: '1', email, encrypted_password: BCRYPT, email_confirmed_at: '2024-01-01T00:00:00Z' };
}

function cognitoUser(email: string | undefined, more: Record<string, string> = {}) {
  const attributes = { sub: '1', ...(email !== undefined && { email }), email_verified: 'true', ...more };
  const Attributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
  return { Username: '1', Attributes, Enabled: true, UserStatus: 'CONFIRMED' };
}

function djangoUser(email: string, more: object = {}) {
  const password = 'pbkdf2_sha256$600000$salt$aGFzaA==';
  return { model: 'auth.user', pk: 1, fields: { username: 'x', email, password, is_active: true, ...more } };
}

function djangoAddress(email: string, verified: boolean) {
  return { model: 'account.emailaddress', pk: 1, fields: { email, user: 1, verified } };
}
