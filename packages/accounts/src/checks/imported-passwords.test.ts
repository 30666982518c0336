import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { UnfinishedCheck, type StoredPassword } from '@gatehouse/auth-core';
import { hashElsewhere } from '@gatehouse/auth-core/testing';
import { query } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { Unavailable } from '@gatehouse/runtime';
import { eventually, msOf } from '@gatehouse/runtime/testing';
import { failuresFor, failuresOf, newAccount } from '../testing/index.ts';
import { openTestAccounts, someAddress, someEmail } from '../testing/index.ts';
import { withThrottle } from './attempts.ts';
import { checkPassword } from './credentials.ts';

const ADDRESS_FAILURES = 100;

describe('logins while imported hashes remain', () => {
  const app = during(() => openTestAccounts({ IMPORT_EVEN_TIME: true }));

  const imported = async ({ hash, scheme }: StoredPassword): Promise<string> => {
    const { id, email } = await newAccount(app);
    const sql = 'update account set password_hash = ?, password_scheme = ? where id = ?';
    await query(app.db, sql, [hash, scheme, id]);
    return email;
  };
  const tryFrom = (addressGroup: string, userName: string, password = 'wrong') =>
    checkPassword(app, { userName, password, addressGroup });

  it('take as long as the slowest remaining hash, for every kind of account and for none', async () => {
    const slowest: StoredPassword = { hash: hashElsewhere('somebody else', 11), scheme: 'raw' };
    await imported(slowest);
    const hash = '$gh$22$pbkdf2-sha1,1000,20$c2FsdHNhbHQ$'.padEnd(66, 'a');
    const cheap: StoredPassword = { hash, scheme: 'foreign' };
    const kinds: Record<string, () => Promise<string>> = {
      nobody: () => Promise.resolve(someEmail()),
      'no address': () => Promise.resolve('no address'),
      own: async () => (await newAccount(app)).email,
      cheap: () => imported(cheap),
    };
    // Whoever asks next, a cheaper hash of another kind remains.
    await imported(cheap);
    const comparisons: number[] = [];
    const answers = Object.keys(kinds).map((kind): [string, number[]] => [kind, []]);
    let turns = 0;
    // The least of each says most. On a busy machine it takes more turns until both were undisturbed.
    await eventually(async () => {
      comparisons.push(await msOf(() => app.passwords.verify('wrong', slowest)));
      for (const [kind, times] of answers) {
        const email = (await kinds[kind]?.()) ?? assert.fail();
        times.push(await msOf(() => tryFrom(someAddress(), email)));
        const [comparison, answer] = [Math.min(...comparisons), Math.min(...times)];
        assert.ok(answer > 0.9 * comparison, `${kind}: ${answer} ms, and ${comparison} ms for the slowest`);
      }
      turns += 1;
      return turns >= 3;
    }, 30);
  });

  /** How many more failures an address may have. */
  const leftFor = async (addressGroup: string): Promise<number> => {
    for (let admitted = 0; ; admitted += 1)
      if (!(await app.failures.admit(addressGroup)).admitted) return admitted;
  };

  it('that get no hashing slot count against the address, and lock no owner out', async () => {
    const text = (bytes: number): string => Buffer.alloc(bytes, 1).toString('base64url');
    const hash = `$gh$74$argon2id,19,262144,8,1,32$${text(16)}$${text(32)}`;
    const email = await imported({ hash, scheme: 'foreign' });
    let isFull = true;
    const others = Array.from({ length: 26 }, async () => {
      // A check that finds no place fails at once: without the pause nothing else would run.
      while (isFull) await app.passwords.verify('x', { hash, scheme: 'foreign' }).catch(() => pause(1));
    });
    const address = someAddress();
    const isUnfinished = (error: unknown) =>
      error instanceof UnfinishedCheck && !error.wasBegun && error.retryAfterSeconds > 0;
    await assert.rejects(tryFrom(address, email), isUnfinished);
    isFull = false;
    await Promise.all(others);
    assert.equal(await failuresOf(app, failuresFor(email)), 0);
    assert.equal(await leftFor(address), ADDRESS_FAILURES - 1);
  }).timeout(20_000);

  for (const [what, error, counted] of [
    ['worked for too long', new UnfinishedCheck({ wasBegun: true, cause: undefined }), 1],
    ['nothing could be begun of, for everybody,', new Unavailable('password hashing'), 0],
  ] as const)
    it(`that ${what} count ${counted} times`, async () => {
      const [addressGroup, key] = [someAddress(), failuresFor(someEmail())];
      const check = () => Promise.reject(error);
      const owner = () => withThrottle(app, { by: 'owner', addressGroup, key, accountId: undefined }, check);
      await assert.rejects(withThrottle(app, { by: 'address', addressGroup, about: key }, owner), error);
      assert.equal(await failuresOf(app, key), counted);
      assert.equal(await leftFor(addressGroup), ADDRESS_FAILURES - counted);
    });
});
