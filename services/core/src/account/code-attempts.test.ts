import assert from 'node:assert/strict';
import { codeIn, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { PASSWORD, someAddress, startCore, type TestCore } from '../testing/index.ts';

describe('wrong attempts for a code', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  const newest = async (email: string) => codeIn(await core.app.mailsTo(email));
  const registered = async () => {
    const email = someEmail();
    await core.post('/account/register', { Email: email, Password: PASSWORD }).expect(200);
    return { email, use: { Email: email, Code: await newest(email) }, path: '/account/verify' };
  };
  const forgotten = async () => {
    const email = await core.newAccount();
    const use = { Email: email, Code: await core.forget(email), Password: 'an entirely new one' };
    return { email, use, path: '/account/reset-password' };
  };
  const from = (address: string) => ({ 'x-forwarded-for': address });

  for (const [what, arrange] of [
    ['verifies an email', registered],
    ['resets a password', forgotten],
  ] as const) {
    it(`are limited to five per address (IPv6 by /64), without effect on the owner: one that ${what}`, async () => {
      const { use, path } = await arrange();
      const [stranger, owner] = [someAddress(), someAddress()];
      const neighbour = stranger.replace(/::1$/, '::2');
      for (let time = 0; time < 5; time += 1) {
        await core.post(path, { ...use, Code: `0000-000${time}` }, from(stranger)).expect(400);
      }
      for (const address of [stranger, neighbour]) {
        const { body } = await core.post(path, use, from(address)).expect(400);
        assert.equal(body.code, 'invalid_code');
      }
      await core.post(path, use, from(owner)).expect(200);
    });

    it(`do not count a missing or malformed code: one that ${what}`, async () => {
      const { email, use, path } = await arrange();
      const address = someAddress();
      for (const Code of [undefined, null, true, 12345678, [], {}, [use.Code]]) {
        const { body } = await core.post(path, { ...use, Code }, from(address)).expect(400);
        assert.deepEqual([body.code, body.errors[0].pointer], ['invalid_request', '/Code']);
      }
      for (const Code of ['', 'AAAA', 'UUUU-UUUU', '0000_0000', `${use.Code}0`, '0'.repeat(65), '\u0000']) {
        const { body } = await core.post(path, { ...use, Code }, from(address)).expect(400);
        assert.equal(body.code, 'invalid_code');
      }
      const [row] = await query(
        core.app.db,
        'select tries from account_code where account_id = (select id from account where email = ?)',
        [email],
      );
      assert.deepEqual(row, { tries: {} });
      await core.post(path, use, from(address)).expect(200);
    });

    it(`are counted before the comparison, also concurrently: one that ${what}`, async () => {
      const { email, use, path } = await arrange();
      const address = someAddress();
      const guesses = Array.from({ length: 12 }, (_, at) => `0000-00${at + 10}`);
      await Promise.all(guesses.map((Code) => core.post(path, { ...use, Code }, from(address)).expect(400)));
      const [{ left, tries } = assert.fail('the code is gone')] = await query<{
        left: number;
        tries: object;
      }>(
        core.app.db,
        `select tries_left as left, tries from account_code
         where account_id = (select id from account where email = ?)`,
        [email],
      );
      // For the address and its network.
      assert.deepEqual([left, Object.values(tries)], [495, [5, 5]]);
    });

    it(`are limited to five hundred in total, which invalidates it: one that ${what}`, async () => {
      const { email, use, path } = await arrange();
      const wanted = 'where account_id = (select id from account where email = ?)';
      await query(core.app.db, `update account_code set tries_left = 1 ${wanted}`, [email]);
      await core.post(path, { ...use, Code: '0000-0000' }, from(someAddress())).expect(400);
      await core.post(path, use, from(someAddress())).expect(400);
    });
  }

  it('count against each code of the account that the input could match', async () => {
    const { email, use, path } = await registered();
    await core.post('/account/register', { Email: email, Password: PASSWORD }).expect(200);
    const newer = { ...use, Code: await newest(email) };
    const stranger = someAddress();
    for (let time = 0; time < 5; time += 1) {
      await core.post(path, { ...use, Code: `0000-000${time}` }, from(stranger)).expect(400);
    }
    for (const body of [use, newer]) await core.post(path, body, from(stranger)).expect(400);
    await core.post('/account/register', { Email: email, Password: PASSWORD }).expect(200);
    await core.post(path, { ...use, Code: await newest(email) }, from(stranger)).expect(200);
  });

  it('are deleted with their codes', async () => {
    const { email, use, path } = await registered();
    await core.post('/account/register', { Email: email, Password: PASSWORD }).expect(200);
    await core.post(path, use).expect(200);
    for (const table of ['account_code', 'earlier_verify_code']) {
      const sql = `select id from ${table} where account_id = (select id from account where email = ?)`;
      assert.deepEqual(await query(core.app.db, sql, [email]), []);
    }
  });
});
