import assert from 'node:assert/strict';
import { pbkdf2Sync, scryptSync } from 'node:crypto';
import { quickPasswords } from '../../testing/index.ts';
import type { Passwords } from '../passwords.ts';
import { readForeign } from './read-foreign.ts';

// Hashes of "U*U", "password" and "Hello world!" from the test vectors of crypt_blowfish, Argon2 and SHA-512 crypt.
const BCRYPT = '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
const ARGON2 = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
const CRYPT =
  '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1';
const ROUNDS =
  '$6$rounds=10000$saltstringsaltst$OW1/O6BYHV6BcXZu8QVeXbDWra3Oeqh0sbHbbMCVNSnCM/UrjmM0Dp8vOuZeHBy/YTBmSK6H9qs/y3RnOaw5v.';
const WERKZEUG = {
  pbkdf2: 'pbkdf2:sha256:1000$AbCdEfGh$',
  scrypt: 'scrypt:16384:8:1$AbCdEfGh$',
};

describe('a hash with the prefix of the system that wrote it', () => {
  let passwords: Passwords;
  before(() => (passwords = quickPasswords()));
  after(() => passwords.close());

  const verdicts = async (hash: string, password: string): Promise<unknown> => {
    const reading = readForeign({ kind: 'hash', hash });
    if (reading.kind === 'fault') return reading.fault;
    const stored = await passwords.adopt(reading);
    return [await passwords.verify(password, stored), await passwords.verify(`${password}x`, stored)];
  };

  for (const [what, hash, password] of [
    ['Spring Security', `{bcrypt}${BCRYPT}`, 'U*U'],
    ['Dovecot', `{BLF-CRYPT}${BCRYPT}`, 'U*U'],
    ['LDAP', `{CRYPT}${CRYPT}`, 'Hello world!'],
    ['Dovecot, by default', `{SHA512-CRYPT}${CRYPT}`, 'Hello world!'],
    ['Nextcloud', `1|${BCRYPT}`, 'U*U'],
    ['Nextcloud of today', `3|${ARGON2}`, 'password'],
    ['Spring Security of today', `{argon2@SpringSecurity_v5_8}${ARGON2}`, 'password'],
    ['Unix', CRYPT, 'Hello world!'],
    ['Moodle, with rounds', ROUNDS, 'Hello world!'],
    ['a spreadsheet, with a blank at the end', `${BCRYPT} `, 'U*U'],
    [
      'Flask, pbkdf2',
      `${WERKZEUG.pbkdf2}${pbkdf2Sync('Hello', 'AbCdEfGh', 1000, 32, 'sha256').toString('hex')}`,
      'Hello',
    ],
    [
      'Flask, scrypt',
      `${WERKZEUG.scrypt}${scryptSync('Hello', 'AbCdEfGh', 64, { N: 16_384, r: 8, p: 1 }).toString('hex')}`,
      'Hello',
    ],
  ] as const) {
    it(`is of the password: ${what}`, async () =>
      assert.deepEqual(await verdicts(hash, password), [true, false]));
  }

  it('of sha512-crypt has 128 bytes of password at most, for each round reads it', async () => {
    const stored = await passwords.adopt(readOf(CRYPT));
    assert.equal(await passwords.verify('x'.repeat(129), stored), false);
  });

  it('is none of a scheme that is the password itself, or has another format', () => {
    for (const hash of [
      '{noop}secret',
      '{bcrypt}secret',
      '{SSHA}c2VjcmV0',
      '1|secret',
      `{bcrypt}{bcrypt}${BCRYPT}`,
    ])
      assert.deepEqual(readForeign({ kind: 'hash', hash }), { kind: 'fault', fault: 'unknown_format' }, hash);
  });
});

function readOf(hash: string) {
  const reading = readForeign({ kind: 'hash', hash });
  assert.ok(reading.kind !== 'fault');
  return reading;
}
