import assert from 'node:assert/strict';
import { createHash, pbkdf2Sync, scryptSync } from 'node:crypto';
import { during } from '@gatehouse/runtime/testing';
import { hashElsewhere, leastWork, quickPasswords } from '../../testing/index.ts';
import type { Adoptable } from '../hasher.ts';
import type { StoredPassword } from '../stored-password.ts';
import { readForeign } from './read-foreign.ts';

// Hashes of "U*U", "password" and "Hello world!" from the test vectors of crypt_blowfish, Argon2 and SHA-512 crypt.
const BCRYPT = '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
const ARGON2 = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
const CRYPT =
  '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1';
const ROUNDS =
  '$6$rounds=10000$saltstringsaltst$OW1/O6BYHV6BcXZu8QVeXbDWra3Oeqh0sbHbbMCVNSnCM/UrjmM0Dp8vOuZeHBy/YTBmSK6H9qs/y3RnOaw5v.';
const WERKZEUG = { pbkdf2: 'pbkdf2:sha256:1000$AbCdEfGh$', scrypt: 'scrypt:16384:8:1$AbCdEfGh$' };

const SALT = Buffer.from('saltsalt');
const LONGEST = 'x'.repeat(128);

/** The stored hash of phpBB or Drupal for a password. */
function phpass(name: 'md5' | 'sha512', log2Rounds: number, password: string): Adoptable {
  let digest = createHash(name).update(SALT).update(password).digest();
  for (let left = 2 ** log2Rounds; left > 0; left -= 1)
    digest = createHash(name).update(digest).update(password).digest();
  const derivation = { algorithm: `phpass-${name}`, numbers: [log2Rounds], salt: SALT } as const;
  return { kind: 'derived', derivation, digest: digest.subarray(0, 32) };
}

describe('a hash with the prefix of the system that wrote it', () => {
  const passwords = during(async () => quickPasswords());

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
  ] as const)
    it(`is of the password: ${what}`, async () =>
      assert.deepEqual(await verdicts(hash, password), [true, false]));

  it('of sha512-crypt has 128 bytes of password at most, for each round reads it', async () => {
    const stored = await passwords.adopt(readOf(CRYPT));
    assert.equal(await passwords.verify('x'.repeat(129), stored), false);
  });

  for (const name of ['md5', 'sha512'] as const) {
    it(`of phpBB, WordPress or Drupal has 128 bytes of password at most (${name})`, async () => {
      for (const [password, isTaken] of [
        [LONGEST, true],
        ['€'.repeat(42), true],
        [`${LONGEST}x`, false],
        ['€'.repeat(43), false],
      ] as const) {
        const stored = await passwords.adopt(phpass(name, 7, password));
        assert.equal(await passwords.verify(password, stored), isTaken, password);
      }
    });

    it(`of them costs less than the most expensive bcrypt hash for input of any length (${name})`, async () => {
      // Both are a 32nd of the maximum: 2^13 of 2^18 rounds, and cost 9 of 14.
      const imported = await passwords.adopt(phpass(name, 13, 'somebody'));
      const bcrypt: StoredPassword = { hash: hashElsewhere('somebody', 9), scheme: 'raw' };
      const costliest = await leastWork(5, () => passwords.verify('wrong', bcrypt));
      for (const typed of [LONGEST, 'x'.repeat(1000), '€'.repeat(1536)]) {
        const work = await leastWork(5, () => passwords.verify(typed, imported));
        assert.ok(work < costliest, `${typed.length}: ${work} ms, and ${costliest} ms of bcrypt`);
      }
    });
  }

  it('is none of a scheme that is the password itself, or has another format', () => {
    const plain = ['{noop}secret', '{bcrypt}secret', '{SSHA}c2VjcmV0', '1|secret'];
    for (const hash of [...plain, `{bcrypt}{bcrypt}${BCRYPT}`])
      assert.deepEqual(readForeign({ kind: 'hash', hash }), { kind: 'fault', fault: 'unknown_format' }, hash);
  });
});

function readOf(hash: string) {
  const reading = readForeign({ kind: 'hash', hash });
  assert.ok(reading.kind !== 'fault');
  return reading;
}
