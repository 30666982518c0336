import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { atOnce, cast, type Person } from '../testing/cast.ts';
import { someAddress } from '../testing/index.ts';

describe('wrong attempts for a code', () => {
  const { core, someone, member } = cast();

  /** Somebody with a mailed code, and the request that uses one. */
  interface Mailed {
    ann: Person;
    code: string;
    purpose: 'verify' | 'reset';
    uses: (who: Person, code: unknown) => ReturnType<Person['verifies']>;
  }
  const newest = async (ann: Person) => (await ann.codes()).at(-1) ?? assert.fail('no code was mailed');
  const registered = async (): Promise<Mailed> => {
    const ann = someone();
    await ann.registers().expect(200);
    return { ann, code: await newest(ann), purpose: 'verify', uses: (who, code) => who.verifies(code) };
  };
  const forgotten = async (): Promise<Mailed> => {
    const ann = await member();
    const code = await ann.forgets();
    return { ann, code, purpose: 'reset', uses: (who, given) => who.resets(given, 'an entirely new one') };
  };
  const counted = async (ann: Person) => {
    const sql = 'select tries_left as left, tries from account_code where account_id = ?';
    return (await query<{ left: number; tries: object }>(core().app.db, sql, [await ann.id()]))[0];
  };
  const guessesFive = async ({ uses }: Mailed, who: Person) => {
    for (let time = 0; time < 5; time += 1) await uses(who, `0000-000${time}`).expect(400);
  };

  for (const [what, arrange] of [
    ['verifies an email', registered],
    ['resets a password', forgotten],
  ] as const) {
    it(`are limited to five per address (IPv6 by /64), without effect on the owner: one that ${what}`, async () => {
      const mailed = await arrange();
      const { ann, code, uses } = mailed;
      const address = someAddress();
      await guessesFive(mailed, ann.from(address));
      for (const near of [address, address.replace(/::1$/, '::2')])
        assert.equal((await uses(ann.from(near), code).expect(400)).body.code, 'invalid_code');
      await uses(ann, code).expect(200);
    });

    it(`do not count a missing or malformed code: one that ${what}`, async () => {
      const { ann, code, uses } = await arrange();
      const atHome = ann.from(someAddress());
      for (const none of [undefined, [code]])
        assert.equal((await uses(atHome, none).expect(400)).body.code, 'invalid_request');
      for (const bad of ['', 'AAAA', 'UUUU-UUUU', '0000_0000', `${code}0`, '0'.repeat(65), '\u0000'])
        assert.equal((await uses(atHome, bad).expect(400)).body.code, 'invalid_code');
      assert.deepEqual((await counted(ann))?.tries, {});
      await uses(atHome, code).expect(200);
    });

    it(`are counted before the comparison, also concurrently: one that ${what}`, async () => {
      const { ann, uses } = await arrange();
      const atHome = ann.from(someAddress());
      await atOnce(12, (at) => uses(atHome, `0000-00${at + 10}`).expect(400));
      const { left, tries } = (await counted(ann)) ?? assert.fail('the code is gone');
      // For the address and its network.
      assert.deepEqual([left, Object.values(tries)], [495, [5, 5]]);
    });

    it(`are counted for questions whether a code works, unless it does: one that ${what}`, async () => {
      const { ann, code, purpose, uses } = await arrange();
      const atHome = ann.from(someAddress());
      const asks = async (Code: string, status = 200) => {
        const body = { Email: ann.email, Code, Purpose: purpose };
        return ((await atHome.post('/account/code', body).expect(status)).body as { IsValid: boolean })
          .IsValid;
      };
      assert.deepEqual(await atOnce(4, () => asks(code)), [true, true, true, true]);
      for (let time = 0; time < 20; time += 1) assert.equal(await asks(code), true);
      assert.equal((await counted(ann))?.left, 500);
      for (let time = 0; time < 4; time += 1) assert.equal(await asks(`0000-000${time}`), false);
      assert.equal((await counted(ann))?.left, 496);
      assert.equal(await asks(code), true);
      assert.equal(await asks('0000-0009'), false);
      // The five tries of this address are over, also for the right code. The owner's are not.
      assert.equal(await asks(code), false);
      await uses(atHome, code).expect(400);
      await uses(ann, code).expect(200);
      assert.equal(await asks(code), false);
    });

    it(`are limited to five hundred in total, which invalidates it: one that ${what}`, async () => {
      const { ann, code, uses } = await arrange();
      const sql = 'update account_code set tries_left = 1 where account_id = ?';
      await query(core().app.db, sql, [await ann.id()]);
      await uses(ann, '0000-0000').expect(400);
      await uses(ann, code).expect(400);
    });
  }

  it('count against each code of the account that the input could match', async () => {
    const mailed = await registered();
    const { ann, code } = mailed;
    await ann.registers().expect(200);
    const stranger = ann.from(someAddress());
    await guessesFive(mailed, stranger);
    for (const one of [code, await newest(ann)]) await stranger.verifies(one).expect(400);
    await ann.registers().expect(200);
    await stranger.verifies(await newest(ann)).expect(200);
  });

  it('are deleted with their codes', async () => {
    const { ann, code } = await registered();
    await ann.registers().expect(200);
    await ann.verifies(code).expect(200);
    for (const table of ['account_code', 'earlier_verify_code']) {
      const sql = `select id from ${table} where account_id = ?`;
      assert.deepEqual(await query(core().app.db, sql, [await ann.id()]), []);
    }
  });
});
