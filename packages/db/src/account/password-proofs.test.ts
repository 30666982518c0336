import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { NO_DEADLINE } from '@gatehouse/runtime';
import * as accounts from './accounts.ts';
import { connectDb, query, inTransaction, type Db } from '../postgres/connect.ts';
import * as passwordProofs from './password-proofs.ts';
import { testDatabase, type TestDatabase } from '../testing/index.ts';

const HASH = `$2b$04$${'a'.repeat(53)}`;
const WRONG = `${HASH.slice(0, 29)}${'b'.repeat(31)}`;
const NEW_HASH = `$2b$04$${'c'.repeat(53)}`;

describe('proofs of passwords, with the rights of Portal', () => {
  let database: TestDatabase;
  let portal: Db;
  before(async () => {
    database = await testDatabase();
    portal = connectDb({ url: database.urlAs('portal'), applicationName: 'proofs', poolMax: 4 });
  });
  after(async () => {
    await portal.destroy();
    await database.drop();
  });

  type Wishes = Partial<Parameters<typeof accounts.insert>[1]>;
  const newAccount = async (role: 'Admin' | 'User' | 'Guest', overrides: Wishes = {}): Promise<string> => {
    const id = randomUUID();
    await inTransaction(database.db, NO_DEADLINE, (tx) =>
      accounts.insert(tx, {
        ...{ id, email: id, emailKey: id, displayName: undefined, locale: 'en', role, signup: 'complete' },
        ...{ passwordHash: HASH, isEmailVerified: true },
        ...overrides,
      }),
    );
    return id;
  };
  const read = async (id: string) => {
    const sql = 'select password_hash, password_version, email, email_key from account where id = ?';
    const [row] = await query<Record<string, unknown>>(database.db, sql, [id]);
    return row;
  };
  const forgetGuesses = () => query(database.db, "select setval('wrong_proofs_count_until', 0)");
  beforeEach(forgetGuesses);

  for (const role of ['Admin', 'User'] as const) {
    it(`are required to change the credentials of the role ${role}`, async () => {
      const id = await newAccount(role);
      const before = await read(id);
      for (const change of [
        `password_hash = '${NEW_HASH}'`,
        `password_hash = '${NEW_HASH}', password_scheme = 'raw'`,
        'password_hash = null, password_scheme = null',
        'password_version = password_version + 1',
        "signup = 'invitation'",
        'email_verified_at = null',
        'new_password_required = true',
        'expires_at = now()',
        'content_expired_at = now()',
        'expires_at_before = now()',
      ]) {
        await assert.rejects(
          query(portal, `update account set ${change} where id = ?`, [id]),
          { code: '42501' },
          change,
        );
      }
      await query(portal, "update account set display_name = 'Ann', locale = 'de' where id = ?", [id]);
      assert.deepEqual(await read(id), before);

      const change = { proof: WRONG, passwordHash: NEW_HASH };
      assert.equal(
        await inTransaction(portal, NO_DEADLINE, (tx) => passwordProofs.changePassword(tx, id, change)),
        false,
      );
      assert.deepEqual(await read(id), before);
      assert.equal(await passwordProofs.findSalt(portal, id), HASH.slice(0, 29));
      assert.deepEqual(
        [await passwordProofs.check(portal, id, WRONG), await passwordProofs.check(portal, id, HASH)],
        [false, true],
      );
      assert.equal(
        await inTransaction(portal, NO_DEADLINE, (tx) =>
          passwordProofs.changePassword(tx, id, { ...change, proof: HASH }),
        ),
        true,
      );
      assert.deepEqual(await read(id), { ...before, password_hash: NEW_HASH, password_version: 1 });
      assert.equal(
        await inTransaction(portal, NO_DEADLINE, (tx) =>
          passwordProofs.changePassword(tx, id, { ...change, proof: HASH }),
        ),
        false,
      );
    });

    it(`give a role ${role} the email alone that was asked for with the present password`, async () => {
      const id = await newAccount(role);
      const [email, other] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
      const begin = (proof: string) =>
        inTransaction(portal, NO_DEADLINE, (tx) =>
          passwordProofs.beginEmailChange(tx, id, { proof, email, emailKey: email }),
        );
      const finish = (key: string) =>
        inTransaction(portal, NO_DEADLINE, (tx) => passwordProofs.finishEmailChange(tx, id, key));
      assert.equal(await begin(WRONG), false);
      assert.equal(await finish(email), 'unasked');
      assert.equal(await begin(HASH), true);
      assert.equal(await finish(other), 'unasked');
      await inTransaction(portal, NO_DEADLINE, (tx) =>
        passwordProofs.changePassword(tx, id, { proof: HASH, passwordHash: NEW_HASH }),
      );
      assert.equal(await finish(email), 'unasked');
      assert.equal((await read(id))?.['email'], id);

      assert.equal(await begin(NEW_HASH), true);
      await query(database.db, "update email_change set expires_at = now() - interval '1 s'");
      assert.equal(await finish(email), 'unasked');
      assert.equal(await begin(NEW_HASH), true);
      assert.equal(await finish(email), 'done');
      const now = await read(id);
      assert.deepEqual([now?.['email'], now?.['email_key']], [email, email]);
      assert.equal(await finish(email), 'unasked');
    });
  }

  it('report that an address is taken, and keep the request', async () => {
    const id = await newAccount('Admin');
    const taken = await newAccount('User');
    const change = { proof: HASH, email: taken, emailKey: taken };
    assert.equal(
      await inTransaction(portal, NO_DEADLINE, (tx) => passwordProofs.beginEmailChange(tx, id, change)),
      true,
    );
    const refused = await portal.transaction();
    assert.equal(await passwordProofs.finishEmailChange(refused, id, taken), 'taken');
    await refused.rollback();
    await query(database.db, 'delete from account where id = ?', [taken]);
    assert.equal(
      await inTransaction(portal, NO_DEADLINE, (tx) => passwordProofs.finishEmailChange(tx, id, taken)),
      'done',
    );
  });

  it('of an administrator cannot be guessed, also not in transactions that are rolled back', async () => {
    const id = await newAccount('Admin');
    const guess = async (proof: string): Promise<boolean | undefined> => {
      const tx = await portal.transaction();
      try {
        return await passwordProofs.check(tx, id, proof);
      } finally {
        await tx.rollback();
      }
    };
    // Half a minute ahead of now, so that seconds that pass during the test allow no further guess.
    const countUntil = (seconds: number) =>
      query(
        database.db,
        "select setval('wrong_proofs_count_until', extract(epoch from clock_timestamp())::bigint + ?::int)",
        [seconds],
      );
    await countUntil(30);
    const guesses: (boolean | undefined)[] = [];
    for (let round = 0; round < 20; round += 1) {
      guesses.push(...(await Promise.all(Array.from({ length: 4 }, () => guess(WRONG)))));
    }
    assert.equal(guesses.filter((verdict) => verdict === false).length, 60);
    assert.equal(guesses.filter((verdict) => verdict === undefined).length, 20);
    assert.equal(await guess(HASH), undefined);
    const change = { proof: HASH, passwordHash: NEW_HASH };
    assert.equal(
      await inTransaction(portal, NO_DEADLINE, (tx) => passwordProofs.changePassword(tx, id, change)),
      false,
    );
    const email = { proof: HASH, email: 'new', emailKey: 'new' };
    assert.equal(
      await inTransaction(portal, NO_DEADLINE, (tx) => passwordProofs.beginEmailChange(tx, id, email)),
      false,
    );

    await countUntil(3570);
    assert.deepEqual([await guess(WRONG), await guess(HASH)], [false, undefined]);
    await forgetGuesses();
    assert.equal(await guess(HASH), true);
  });

  it('for other roles take no lock', async () => {
    const id = await newAccount('User');
    for (let time = 0; time < 70; time += 1) await passwordProofs.check(portal, id, WRONG);
    assert.equal(await passwordProofs.check(portal, id, HASH), true);
    assert.equal(await passwordProofs.check(portal, await newAccount('Admin'), HASH), true);
    assert.equal(await passwordProofs.check(portal, randomUUID(), HASH), false);
  });

  it('accept valid hashes only', async () => {
    const id = await newAccount('User');
    for (const passwordHash of ['', 'x', HASH.slice(1), `${HASH}a`, HASH.replace('b', 'x')]) {
      await assert.rejects(
        inTransaction(portal, NO_DEADLINE, (tx) =>
          passwordProofs.changePassword(tx, id, { proof: HASH, passwordHash }),
        ),
        {
          code: '22023',
        },
      );
    }
    const none = await newAccount('User', { passwordHash: undefined });
    assert.equal(await passwordProofs.findSalt(portal, none), undefined);
    assert.equal(await passwordProofs.check(portal, none, ''), false);
  });

  it('are not needed for guests, who register by a link', async () => {
    const id = await newAccount('Guest', { signup: 'invitation', passwordHash: undefined });
    const change = "signup = 'complete', password_hash = ?, password_scheme = 'peppered'";
    await query(portal, `update account set ${change} where id = ?`, [HASH, id]);
    assert.equal((await read(id))?.['password_hash'], HASH);
  });

  for (const purpose of ['verify', 'reset']) {
    it(`do not allow Portal to create or change a code that would ${purpose}`, async () => {
      const id = await newAccount('Admin');
      const insert = `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at, email)
        values (?, ?, gen_random_uuid(), '', 5, now(), ?)`;
      await assert.rejects(query(portal, insert, [id, purpose, null]), { code: '42501' });
      await query(portal, insert, [id, 'change-email', id]);
      const toOther = `update account_code set purpose = '${purpose}', email = null where account_id = ?`;
      await assert.rejects(query(portal, toOther, [id]), { code: '42501' });
      await query(database.db, toOther, [id]);
      for (const change of [
        'tries_left = 500',
        "expires_at = now() + interval '1 day'",
        "purpose = 'two-factor'",
      ]) {
        const sql = `update account_code set ${change} where account_id = ?`;
        await assert.rejects(query(portal, sql, [id]), { code: '42501' });
      }
      await query(portal, 'delete from account_code where account_id = ?', [id]);
    });
  }
});
