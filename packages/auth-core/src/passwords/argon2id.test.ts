import assert from 'node:assert/strict';
import { ConfigError, Unavailable } from '@gatehouse/runtime';
import { leastOf, msOf } from '@gatehouse/runtime/testing';
import { hashElsewhere, useQuickPasswords } from '../testing/index.ts';
import { readForeign } from './foreign/read-foreign.ts';
import type { Passwords } from './passwords.ts';
import { readRecipe, type StoredPassword } from './stored-password.ts';

const SMALL = { algorithm: 'argon2id', memoryKib: 1024, passes: 1 } as const;

describe('passwords by argon2id', () => {
  const opened = useQuickPasswords();
  const kept = async (passwords: Passwords): Promise<StoredPassword> => ({
    hash: await passwords.hash('correct horse'),
    scheme: 'peppered',
  });

  it('are verified, and wrong ones are rejected', async () => {
    const passwords = opened(SMALL);
    const stored = await kept(passwords);
    assert.match(stored.hash, /^\$gh\$[01]\d\$argon2id,19,1024,1,1,32\$[-\w]{22}\$[-\w]{43}$/);
    assert.equal(await passwords.verify('correct horse', stored), true);
    assert.equal(await passwords.verify('correct hors', stored), false);
    assert.equal(await passwords.verifyNothing('correct horse'), false);
    assert.notEqual((await kept(passwords)).hash, stored.hash);
  });

  it('follow the setting when it is raised or lowered', async () => {
    const [bcrypt, argon2id, more] = [opened(), opened(SMALL), opened({ ...SMALL, passes: 2 })];
    const [old, present] = [await kept(bcrypt), await kept(argon2id)];
    assert.ok(await argon2id.verify('correct horse', old));
    assert.ok(await bcrypt.verify('correct horse', present));
    assert.equal(await bcrypt.verify('wrong', present), false);
    assert.equal(await argon2id.verify('wrong', old), false);
    const renewed = (passwords: Passwords, stored: StoredPassword) =>
      passwords.isRenewable('correct horse', stored);
    assert.deepEqual(
      [renewed(bcrypt, old), renewed(bcrypt, present), renewed(argon2id, old), renewed(argon2id, present)],
      [false, true, true, false],
    );
    assert.equal(renewed(more, present), true);
  });

  it('wrap fast digests, and a wrapped one is no password of its own', async () => {
    const passwords = opened(SMALL);
    const Hash = '5ebe2294ecd0e0f08eab7690d2a6ee69'; // of "secret"
    const reading = readForeign({ kind: 'digest', digest: { Algorithm: 'md5', Hash } });
    assert.ok(reading.kind === 'fast');
    for (const wrapping of [passwords, opened()]) {
      const stored = await wrapping.adopt(reading);
      assert.equal(stored.scheme, 'wrapped');
      assert.ok(await passwords.verify('secret', stored));
      for (const wrong of [Hash, 'Secret', '']) assert.equal(await passwords.verify(wrong, stored), false);
      for (const scheme of ['peppered', 'raw', 'foreign'] as const)
        assert.equal(await passwords.verify('secret', { ...stored, scheme }), false);
      assert.ok(passwords.isRenewable('secret', stored));
    }
  });

  it('delay a wrong password to the time of the most expensive remaining bcrypt hash', async () => {
    const passwords = opened(SMALL);
    const old: StoredPassword = { hash: hashElsewhere('correct horse', 10), scheme: 'raw' };
    // The first includes the start of a thread.
    const wrong = await leastOf(3, () => msOf(() => passwords.verify('wrong', old)));
    const highest = () => Promise.resolve([10]);
    const nothing = await leastOf(3, () => msOf(() => passwords.verifyNothing('wrong', highest)));
    assert.ok(nothing > 0.5 * wrong, `${nothing} ms, and ${wrong} ms for a wrong password`);
  });

  const text = (bytes: number): string => Buffer.alloc(bytes, 1).toString('base64url');
  const costly = 'argon2id,19,262144,2,1,32';
  for (const stored of [
    { scheme: 'foreign', hash: `$gh$60$${costly}$${text(16)}$${text(32)}` },
    { scheme: 'peppered', hash: `$gh$19$${costly}$${text(16)}$${text(32)}` },
    { scheme: 'wrapped', hash: `$gh$19$md5-prefix$$${costly}$${text(16)}$${text(32)}` },
  ] as const) {
    it(`are not blocked by memory-intensive ${stored.scheme} hashes: two of these run at once`, async () => {
      const passwords = opened({ threads: 4 });
      const checks = Array.from({ length: 4 }, () => passwords.verify('wrong', stored));
      const settled = Promise.allSettled(checks);
      await new Promise(setImmediate);
      assert.equal(passwords.load().running, 2);
      await passwords.verifyNothing('somebody else');
      for (const outcome of await settled) {
        if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof Unavailable);
        else assert.notEqual(outcome.value, true);
      }
    }).timeout(20_000);
  }

  it('run on all threads where they are made as today, and never on more', async () => {
    // Each takes long enough that none has finished when the load is read.
    const passwords = opened({ ...SMALL, memoryKib: 65_536, passes: 4, threads: 4 });
    const stored = await kept(passwords);
    const checks = Array.from({ length: 6 }, () => passwords.verify('wrong', stored));
    await new Promise(setImmediate);
    assert.deepEqual(passwords.load(), { running: 4, waiting: 2 });
    assert.deepEqual(await Promise.all(checks), Array(6).fill(false));
  });

  for (const scheme of ['peppered', 'wrapped'] as const) {
    const saltOf = (derivation: string): string =>
      `$gh$19$${scheme === 'wrapped' ? 'md5-prefix$$' : ''}${derivation}$${text(16)}$`;
    for (const taken of ['argon2id,19,1024,1,1,32', 'argon2id,19,262144,10,1,32'])
      it(`are ${scheme} by ${taken} as by any setting`, () =>
        assert.equal(readRecipe({ scheme, salt: saltOf(taken) })?.kind, 'derived'));
    const REFUSED = `argon2id,19,262145,1,1,32 argon2id,19,1024,11,1,32 argon2id,19,1024,1,8,32
      argon2id,19,1023,1,1,32 argon2id,19,1024,0,1,32 argon2id,16,1024,1,1,32 argon2id,19,1024,1,1,4000
      argon2i,19,1024,1,1,32 scrypt,18,8,2,32`;
    for (const refused of REFUSED.split(/\s+/))
      it(`are never ${scheme} by ${refused}, which is no setting of ours`, () =>
        assert.equal(readRecipe({ scheme, salt: saltOf(refused) }), undefined));
  }

  it('do not start with parameters that no setting has', () => {
    for (const wrong of [{ memoryKib: 262_145 }, { memoryKib: 1023 }, { passes: 11 }, { passes: 0 }])
      assert.throws(() => opened({ ...SMALL, ...wrong }), ConfigError);
  });
});
