import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { useFolder } from '@gatehouse/runtime/testing';
import { readExport } from './read-export.ts';

const BCRYPT = `$2b$10$${'a'.repeat(53)}`;
const DATES = { email_confirmed_at: '2024-01-01T00:00:00Z' };

describe('unusual exports of other systems', () => {
  const pathOf = useFolder();

  const read = (system: string, content: unknown) => {
    const file = pathOf('export.json');
    writeFileSync(file, JSON.stringify(content));
    const { lines, leftOut, notCarried, doubles } = readExport(file, system);
    return {
      lines: lines.map(({ line }) => line),
      places: lines.map(({ place }) => place),
      leftOut: Object.fromEntries(leftOut),
      notCarried: Object.fromEntries(notCarried),
      doubles,
    };
  };

  it('with a duplicate address, in any case: the entry with a password is kept, and the other reported', () => {
    const { lines, leftOut, doubles, places } = read('supabase', [
      { email: 'Ann@Example.com', ...DATES },
      { email: 'ben@example.com', ...DATES },
      { email: 'ann@EXAMPLE.com', encrypted_password: BCRYPT, ...DATES },
      { email: 'ann@example.com', encrypted_password: BCRYPT, ...DATES },
    ]);
    assert.deepEqual(lines, [
      { Email: 'ben@example.com' },
      { Email: 'ann@EXAMPLE.com', PasswordHash: BCRYPT },
    ]);
    assert.deepEqual(places, ['entry 2', 'entry 3']);
    assert.deepEqual(leftOut, { 'an address that another entry has': 2 });
    assert.deepEqual(doubles, ['entry 1 has the address of entry 3', 'entry 4 has the address of entry 3']);
  });

  it('with an entry that is no object: it is counted and keeps the numbering', () => {
    const { leftOut, places } = read('auth0', ['x', null, { email: 'ann@example.com' }]);
    assert.deepEqual([leftOut, places], [{ 'not an account': 2 }, ['entry 3']]);
  });

  it('with several realms of Keycloak, and passwords in its old format', () => {
    const usual = { emailVerified: true, enabled: true };
    const user = (email: string, given: object) => ({
      email,
      ...usual,
      credentials: [{ type: 'password', ...given }],
    });
    const old = { hashedSaltedValue: 'aGFzaA==', salt: 'c2FsdA==', hashIterations: 27_500 };
    const given = { credentialData: '{}', secretData: '{}' };
    const { lines, notCarried } = read('keycloak', [
      { realm: 'master', users: [user('ann@example.com', given)] },
      { realm: 'empty' },
      { realm: 'shop', users: [user('ben@example.com', old)] },
    ]);
    assert.deepEqual(lines, [
      { Email: 'ann@example.com', CredentialData: '{}', SecretData: '{}' },
      { Email: 'ben@example.com' },
    ]);
    assert.deepEqual(notCarried, { 'a password in another form': 1 });
  });

  describe('of Auth0', () => {
    const connection = 'Username-Password-Authentication';
    const person = (id: string) => ({ email: `${id}@example.com`, email_verified: true });
    const hash = (id: string, more: object = {}) => ({
      ...{ _id: { $oid: id }, ...person(id), passwordHash: BCRYPT, connection, ...more },
    });
    const profile = (id: string, more: object = {}) => ({ user_id: `auth0|${id}`, ...person(id), ...more });

    it('with hashes in a separate file from the profiles, which show who is blocked', () => {
      const { lines, leftOut, notCarried, doubles } = read('auth0', [
        profile('ann', { name: 'Ann Lee' }),
        profile('blocked', { blocked: true }),
        profile('social', { user_id: 'google-oauth2|1' }),
        hash('ann'),
        hash('blocked'),
        hash('alias', { alt_id: 'own', email: 'own@example.com' }),
        profile('own', { blocked: true }),
        hash('alone'),
      ]);
      assert.deepEqual(lines, [
        { Email: 'social@example.com' },
        { Email: 'ann@example.com', DisplayName: 'Ann Lee', PasswordHash: BCRYPT },
        { Email: 'alone@example.com', PasswordHash: BCRYPT },
      ]);
      assert.deepEqual(leftOut, { 'disabled or deleted': 2 });
      assert.deepEqual(notCarried, { 'whether it is blocked, as the file has no profile of it': 1 });
      assert.deepEqual(doubles, []);
    });

    it('with addresses only among identifiers', () => {
      const identifiers = (verified: boolean) => [
        { type: 'phone_number', value: '+441632960001', verified: true },
        { type: 'email', value: 'ann@example.com', verified },
      ];
      const bare = { email: undefined, email_verified: undefined };
      const { lines, notCarried } = read('auth0', [hash('ann', { ...bare, identifiers: identifiers(true) })]);
      assert.deepEqual(lines, [{ Email: 'ann@example.com', PasswordHash: BCRYPT }]);
      assert.equal(notCarried['an identifier of the type phone_number'], 1);
      const unverified = read('auth0', [hash('ann', { ...bare, identifiers: identifiers(false) })]);
      assert.deepEqual(unverified.lines, [{ Email: 'ann@example.com' }]);
    });
  });

  it('with a ban of Supabase that has expired, and metadata, which are reported one by one', () => {
    const about = { full_name: 'Ann Lee', sub: '1', email_verified: true, plan: 'gold' };
    const ann = { email: 'ann@example.com', raw_user_meta_data: about, banned_until: '2020-01-01T00:00:00Z' };
    const { lines, notCarried } = read('supabase', [{ ...ann, ...DATES }]);
    assert.deepEqual(lines, [{ Email: 'ann@example.com', DisplayName: 'Ann Lee' }]);
    assert.deepEqual(notCarried, { 'the metadata plan': 1 });
  });

  it('with only the first page of a Cognito user pool, which are refused', () => {
    for (const name of ['PaginationToken', 'NextToken'])
      assert.throws(() => read('cognito', { Users: [], [name]: 'x' }), /one page of several/);
  });

  it('with any model name of Django, and an address in another case or by a natural key', () => {
    const fields = { password: 'pbkdf2_sha256$1$s$aGFzaA==', last_login: null };
    const row = (pk: number, username: string, email: string) => {
      return { model: 'shop.member', pk, fields: { ...fields, username, email } };
    };
    const address = (user: unknown, email: string) => {
      return { model: 'account.emailaddress', pk: 1, fields: { user, email, verified: true, primary: true } };
    };
    const { lines, leftOut } = read('django', [
      row(1, 'ann', 'Ann@example.com'),
      row(2, 'ben', 'ben@example.com'),
      row(3, 'eve', 'carl@example.com'),
      address(1, 'ann@example.com'),
      address(['ben'], 'ben@example.com'),
      address(4, 'carl@example.com'),
      { model: 'shop.mailbox', pk: 1, fields: { email: 'x@example.com', password: 'y' } },
    ]);
    const shown = lines.map(({ Email, PasswordHash }) => [Email, PasswordHash !== undefined]);
    assert.deepEqual(shown, [
      ['Ann@example.com', true],
      ['ben@example.com', true],
      // Another user has verified this address.
      ['carl@example.com', false],
    ]);
    assert.deepEqual(leftOut, { 'not an account': 1 });
  });

  it('with numeric booleans of better-auth, expired bans, and users without a name', () => {
    const user = (id: number, more: object = {}) => {
      return { id, email: `u${id}@example.com`, emailVerified: 1, ...more };
    };
    const { lines, leftOut } = read('better-auth', {
      users: [
        user(1),
        user(2, { banned: 1 }),
        user(3, { banned: 1, ban_expires: '2020-01-01 00:00:00' }),
        user(4, { banned: true, banExpires: 1_577_836_800 }),
        user(5, { isAnonymous: 1 }),
        user(6, { emailVerified: 0 }),
      ],
      accounts: [1, 6].map((userId) => ({ userId, providerId: 'credential', password: 'salt:key' })),
    });
    assert.deepEqual(lines, [
      { Email: 'u1@example.com', PasswordHash: 'salt:key' },
      { Email: 'u3@example.com' },
      { Email: 'u6@example.com' },
    ]);
    assert.deepEqual(leftOut, { 'disabled or deleted': 2, 'not a person': 1 });
  });
});
