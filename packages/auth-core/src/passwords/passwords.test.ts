import assert from 'node:assert/strict';
import { ConfigError } from '@gatehouse/runtime';
import { hashSync } from 'bcryptjs';
import type { Passwords } from './passwords.ts';
import type { StoredPassword } from './stored-password.ts';
import { msOf } from '@gatehouse/runtime/testing';
import { leastWork, quickPasswords, TEST_SECRET, useQuickPasswords } from '../testing/index.ts';
import { createEvenTime } from './hasher.ts';

const TURNS_MAX = 12;

describe('passwords', () => {
  let passwords: Passwords;
  const opened = useQuickPasswords();
  const kept = async (password: string): Promise<StoredPassword> => ({
    hash: await passwords.hash(password),
    scheme: 'peppered',
  });
  before(() => (passwords = opened()));

  describe('check', () => {
    const cases: [string, string, string | undefined][] = [
      ['eight characters', 'xk3 9qv!', undefined],
      ['seven characters', 'xk3 9qv', 'too_short'],
      ['eight characters of two units each', '🦊🐻🐼🐨🐯🦁🐮🐷', undefined],
      ['seven of them', '🦊🐻🐼🐨🐯🦁🐮', 'too_short'],
      ['four letters and four accents, which compose', 'e\u0301'.repeat(4), 'too_short'],
      ['256 characters', 'aB3 '.repeat(64), undefined],
      ['257 characters', `${'aB3 '.repeat(64)}x`, 'too_long'],
      ['256 that were typed decomposed', 'e\u0301'.repeat(256), undefined],
      ['a hundred thousand accents', 'e\u0301'.repeat(100_000), 'too_long'],
      ['a common one', 'password1', 'too_common'],
      ['a common one in other case', 'PassWord1', 'too_common'],
      ['the email', 'Ann.Smith@Example.com', 'like_email'],
      ['its local part', 'ANN.SMITH', 'like_email'],
      ['NUL within', 'xk3\u00009qv!x', 'malformed'],
      ['a lone surrogate', 'xk39qv!\ud800', 'malformed'],
      ['nothing', '', 'too_short'],
    ];
    for (const [what, password, verdict] of cases)
      it(`says ${verdict ?? 'nothing'} of ${what}`, async () =>
        assert.equal(await passwords.check(password, 'ann.smith@example.com'), verdict));
  });

  it('verifies the password and no other', async () => {
    const stored = await kept('correct horse');
    assert.match(stored.hash, /^\$2b\$04\$/);
    assert.equal(await passwords.verify('correct horse', stored), true);
    for (const wrong of ['correct hors', 'correct horse ', 'Correct horse', ''])
      assert.equal(await passwords.verify(wrong, stored), false, wrong);
  });

  it('verifies all of a password, beyond the 72 bytes that bcrypt reads', async () => {
    const stored = await kept(`${'x'.repeat(100)}a`);
    assert.equal(await passwords.verify(`${'x'.repeat(100)}a`, stored), true);
    assert.equal(await passwords.verify(`${'x'.repeat(100)}b`, stored), false);
  });

  it('accepts a password in any Unicode normalization form', async () =>
    assert.equal(await passwords.verify('cafe\u0301 noir', await kept('caf\u00e9 noir')), true));

  it('never takes NUL, lone surrogates or endless text for a password', async () => {
    assert.equal(await passwords.verify('correct\0', await kept('correct')), false);
    assert.equal(await passwords.verify('correct \ud800', await kept('correct \ufffd')), false);
    assert.equal(await passwords.verify('e\u0301'.repeat(50_000), await kept('correct')), false);
  });

  it('verifies nothing under another pepper', async () => {
    const other = opened({ pepper: `${TEST_SECRET}!` });
    assert.equal(await other.verify('correct horse', await kept('correct horse')), false);
  });

  for (const prefix of ['$2a$', '$2b$', '$2y$'])
    it(`verifies a raw ${prefix} hash from elsewhere, as raw alone`, async () => {
      const hash = hashSync('correct horse', 4).replace('$2b$', prefix);
      assert.equal(await passwords.verify('correct horse', { hash, scheme: 'raw' }), true);
      assert.equal(await passwords.verify('wrong', { hash, scheme: 'raw' }), false);
      assert.equal(await passwords.verify('correct horse', { hash, scheme: 'peppered' }), false);
    });

  it('does not take our own hashes for raw ones', async () => {
    const { hash } = await kept('correct horse');
    assert.equal(await passwords.verify('correct horse', { hash, scheme: 'raw' }), false);
  });

  const ODD = ['$2x$04$', '$2b$31$', '$2b$00$'].map((start) => start.padEnd(60, 'a'));
  for (const hash of ['', 'x', '$2b$04$short', ...ODD])
    it(`answers false for ${JSON.stringify(hash.slice(0, 12))} as a stored hash, without its cost`, async () =>
      assert.equal(await passwords.verify('correct horse', { hash, scheme: 'raw' }), false));

  describe('a wrong password', () => {
    const highestCosts = () => Promise.resolve([9]);
    const raw = (cost: number): StoredPassword => ({ hash: hashSync('correct horse', cost), scheme: 'raw' });
    const timeOf = (check: () => Promise<boolean>) => msOf(async () => assert.equal(await check(), false));

    it('costs the same work for hashes of any cost, up to our own', async () => {
      const costly = opened({ cost: 10 });
      const kinds = [4, 8, 9, 10].map((cost) => ({ cost, stored: raw(cost), work: Infinity }));
      let own = Infinity;
      const differing = () => kinds.filter(({ work }) => work / own <= 0.6 || work / own >= 1.7);
      // In turns, so that other load affects all of them alike; it only ever adds to the minimum of each.
      for (let turn = 1; turn <= TURNS_MAX; turn += 1) {
        own = Math.min(own, await leastWork(1, () => costly.verifyNothing('wrong')));
        for (const kind of kinds)
          kind.work = Math.min(kind.work, await leastWork(1, () => costly.verify('wrong', kind.stored)));
        if (turn >= 3 && differing().length === 0) break;
      }
      const factors = differing().map(({ cost, work }) => `cost ${cost}: ${work / own}`);
      assert.deepEqual(factors, []);
    });

    it('is answered after the time of the most expensive hash, without its work', async () => {
      const cheap = opened({ cost: 4 });
      // Created beforehand: creating a hash is as much work as comparing one, and must not be measured.
      const [cheapest, cheaper, mostExpensive] = [raw(4), raw(7), raw(9)];
      const compareMostExpensive = () => cheap.verify('wrong', mostExpensive);
      const work = await leastWork(3, compareMostExpensive);
      const classes = [
        () => cheap.verifyNothing('wrong', highestCosts),
        () => cheap.verify('', cheaper, highestCosts),
        ...[cheapest, cheaper, mostExpensive].map(
          (stored) => () => cheap.verify('wrong', stored, highestCosts),
        ),
      ];
      // Waiting is compared as elapsed time, to which a busy machine adds; work is compared as CPU time.
      const times: number[] = [];
      const waits: number[] = [];
      for (const check of classes) {
        for (let turn = 0; turn < 3; turn += 1) times.push(await timeOf(compareMostExpensive));
        waits.push(await timeOf(check));
      }
      const time = Math.min(...times);
      for (const wait of waits)
        assert.ok(wait > 0.9 * time, `${wait} ms, and ${time} ms for the most expensive`);
      assert.ok((await leastWork(3, () => cheap.verifyNothing('wrong', highestCosts))) < work / 3);
    });

    it('waits for two seconds at most', async () => {
      await timeOf(() => passwords.verifyNothing('wrong'));
      const time = await timeOf(() => passwords.verifyNothing('wrong', () => Promise.resolve([99])));
      assert.ok(time < 3000, `${time} ms`);
    });
  });

  it('accepts the right password without a delay', async () => {
    const highestCosts = () => assert.fail('nobody has to wait');
    assert.equal(await passwords.verify('correct horse', await kept('correct horse'), highestCosts), true);
  });

  it('never accepts an empty password, with any imported hash', async () => {
    for (const prefix of ['$2a$', '$2b$', '$2y$']) {
      const hash = hashSync('', 4).replace('$2b$', prefix);
      for (const scheme of ['raw', 'peppered'] as const)
        assert.equal(await passwords.verify('', { hash, scheme }), false);
    }
  });

  it('detects hashes with outdated parameters', async () => {
    const stored = await kept('correct horse');
    assert.equal(passwords.isRenewable('correct horse', stored), false);
    assert.equal(passwords.isRenewable('correct horse', { ...stored, scheme: 'raw' }), true);
    assert.equal(opened({ cost: 5 }).isRenewable('correct horse', stored), true);
  });

  it('keeps no longer password than bcrypt has compared', async () => {
    const typed = 'x'.repeat(72);
    const imported: StoredPassword = { hash: hashSync(typed, 4), scheme: 'raw' };
    for (const [password, isRenewable] of [
      [typed, true],
      [`${typed}mistyped`, false],
      ['€'.repeat(24), true],
      ['€'.repeat(25), false],
    ] as const)
      assert.equal(passwords.isRenewable(password, imported), isRenewable, password);
    assert.equal(await passwords.verify(`${typed}mistyped`, imported), true);
    assert.equal(opened({ cost: 5 }).isRenewable('x'.repeat(200), await kept('x'.repeat(200))), true);
  });

  it('refuses an invalid or excessive bcrypt cost at startup', () => {
    for (const cost of [3, 15, 10.5]) assert.throws(() => quickPasswords({ cost }), ConfigError);
  });
});

/** The time of bcrypt at cost 4; cost 9 takes 32 times as long. */
const COST_4_MS = 8;
const COST_9_MS = 32 * COST_4_MS;

describe('the time of a wrong password', () => {
  const timeWith = async (...highest: number[]): Promise<number> => {
    const evenTime = createEvenTime({ cost: 4 }, async () => [COST_4_MS, 4]);
    return msOf(() => evenTime.wait(performance.now(), () => Promise.resolve(highest)));
  };

  for (const [what, highest] of [
    ['bcrypt at cost 9', [9]],
    ['an imported hash like it', [56]],
    ['it and a cheap imported one', [9, 22]],
    ['an imported one like it and a cheap one of bcrypt', [4, 56]],
  ] as const)
    it(`is as long as for ${what}`, async () => assert.ok((await timeWith(...highest)) >= COST_9_MS));

  for (const highest of [[], [4], [4, 36], [22]])
    it(`is no longer for the costs [${highest.join()}], which are no higher than ours`, async () =>
      assert.ok((await timeWith(...highest)) < COST_9_MS));
});
