import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { hashElsewhere, quickPasswords } from '../../testing/index.ts';
import type { Adoptable } from '../hasher.ts';
import type { Passwords } from '../passwords.ts';
import type { StoredPassword } from '../stored-password.ts';

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

describe('passwords of phpBB, WordPress and Drupal', () => {
  let passwords: Passwords;
  before(() => (passwords = quickPasswords()));
  after(() => passwords.close());

  for (const name of ['md5', 'sha512'] as const) {
    it(`have 128 bytes at most (${name})`, async () => {
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

    it(`cost less than the most expensive bcrypt hash for input of any length (${name})`, async () => {
      // Both are a 32nd of the maximum: 2^13 of 2^18 rounds, and cost 9 of 14.
      const imported = await passwords.adopt(phpass(name, 13, 'somebody'));
      const bcrypt: StoredPassword = { hash: hashElsewhere('somebody', 9), scheme: 'raw' };
      const costliest = await leastWork(() => passwords.verify('wrong', bcrypt));
      for (const typed of [LONGEST, 'x'.repeat(1000), '€'.repeat(1536)]) {
        const work = await leastWork(() => passwords.verify(typed, imported));
        assert.ok(work < costliest, `${typed.length}: ${work} ms, and ${costliest} ms of bcrypt`);
      }
    });
  }
});

/** The minimum CPU time of several runs, in milliseconds. */
async function leastWork(check: () => Promise<boolean>): Promise<number> {
  const works: number[] = [];
  while (works.length < 5) {
    const before = process.cpuUsage();
    assert.equal(await check(), false);
    const { user, system } = process.cpuUsage(before);
    works.push((user + system) / 1000);
  }
  return Math.min(...works);
}
