import assert from 'node:assert/strict';
import { randomBytes, randomUUID as newId } from 'node:crypto';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { inTransaction, query, type Db } from '../postgres/connect.ts';
import { applyGrants } from '../schema/grants.ts';
import { during, duringEach, insertRow, reading, testDatabase } from '../testing/index.ts';
import { eraseLateMails } from './erasures.ts';

const REFUSED = { code: '42501' };

const ERASURES = 10_000;

describe('erasure functions in the database', () => {
  const database = during(testDatabase);
  let core: Db;
  let admin: Db;
  before(async () => {
    await applyGrants(database.db);
    [core, admin] = [database.connect({ as: 'core' }), database.connect({ as: 'admin' })];
  });

  const newAccount = async (role: 'User' | 'Admin' = 'User', end: string | null = null): Promise<string> => {
    const id = newId();
    const account = { id, email: id, emailKey: id, role, signup: 'complete', emailVerifiedAt: new Date() };
    await insertRow(database.db, 'account', { ...account, expiresAt: end });
    return id;
  };
  const newCode = async (id: string, expiresAt = "now() + interval '10 minutes'"): Promise<string> => {
    const codeId = newId();
    const insert = `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at)
       values (?, 'erase', ?, '', 5, ${expiresAt})`;
    await query(core, insert, [id, codeId]);
    return codeId;
  };
  const begin = async (id: string, codeId: string, hash = randomBytes(32)): Promise<unknown> => {
    return query.value(core, 'select begin_own_erasure(?, ?, ?, 14, ?)', [newId(), id, codeId, hash]);
  };
  const takeBack = (hash: Buffer) => query.value(core, 'select take_back_own_erasure(?)', [hash]);
  const isDisabled = (id: string) =>
    query.value<boolean>(database.db, 'select is_disabled from account where id = ?', [id]);

  it('close an account for a valid code of its own, once', async () => {
    const [id, other] = [await newAccount(), await newAccount()];
    assert.equal(await begin(id, newId()), undefined);
    assert.equal(await begin(id, await newCode(other)), undefined);
    assert.equal(await begin(id, await newCode(id, "now() - interval '1 second'")), undefined);
    assert.equal(await isDisabled(id), false);
    await query(database.db, 'delete from account_code');
    const codeId = await newCode(id);
    const begun = await Promise.all([begin(id, codeId), begin(id, codeId)]);
    assert.equal(begun.filter((moment) => moment !== undefined).length, 1);
    const sql = 'select asked_by from erasure where account_id = ?';
    assert.equal(await query.value(database.db, sql, [id]), id);
  });

  it('cancel an erasure with the secret of its link only, once, and enable no account later', async () => {
    const [id, hash] = [await newAccount(), randomBytes(32)];
    await begin(id, await newCode(id), hash);
    assert.equal(await takeBack(randomBytes(32)), undefined);
    assert.equal(await isDisabled(id), true);
    assert.equal(await takeBack(hash), id);
    assert.equal(await isDisabled(id), false);
    await query(database.db, 'update account set is_disabled = true where id = ?', [id]);
    assert.equal(await takeBack(hash), undefined);
    assert.equal(await isDisabled(id), true);
  });

  it('never change an ended erasure, postpone one, or give it a new restore link', async () => {
    const id = await newAccount();
    await begin(id, await newCode(id));
    const update = (db: Db, change: string) =>
      query(db, `update erasure set ${change} where account_id = ?`, [id]);
    for (const change of [`restore_hash = '\\x00'`, `erases_at = erases_at + interval '1 day'`])
      await assert.rejects(update(database.db, change), REFUSED, change);
    await update(admin, 'restored_at = now()');
    for (const change of ['restored_at = null', 'restored_at = now()', `restore_hash = '\\x00'`])
      await assert.rejects(update(admin, change), REFUSED, change);
  });

  it('neither close nor erase the last administrator without an expiry', async () => {
    const [first, second] = [await newAccount('Admin'), await newAccount('Admin')];
    await newAccount('Admin', '2099-01-01T00:00:00Z');
    const codes = [await newCode(first), await newCode(second)];
    const closed = await Promise.allSettled([begin(first, codes[0] ?? ''), begin(second, codes[1] ?? '')]);
    assert.deepEqual(closed.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const [id, kept] = (await isDisabled(first)) === true ? [first, second] : [second, first];
    await query(database.db, 'update erasure set erases_at = now() where account_id = ?', [id]);
    const forget = () => query.value(admin, 'select forget_account(?)', [id]);
    await query(database.db, 'update account set is_disabled = true where id = ?', [kept]);
    assert.equal(await forget(), undefined);
    await query(database.db, 'update account set is_disabled = false where id = ?', [kept]);
    assert.notEqual(await forget(), undefined);
    // Admin cannot order the erasure of the last administrator either, whatever its own code has checked.
    const order = `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at)
      values (gen_random_uuid(), ?, 'Account', ?, now())`;
    await assert.rejects(query(admin, order, [kept, kept]), REFUSED);
  });

  it('return no more rows than an export has', async () => {
    const id = await newAccount();
    const insert = `insert into audit (id, action, actor_kind, actor_id, target_kind, target_id, details)
       select gen_random_uuid(), 'account.changed', 'Account', ?, 'Account', ?, '{}' from generate_series(1, 10010)`;
    await query(database.db, insert, [id, id]);
    const sql = 'select count(*)::int from exported_audit(?, 2000000000)';
    assert.equal(await query.value(core, sql, [id]), 10_001);
  });
});

describe('late mails to erased accounts', () => {
  const database = duringEach(testDatabase);

  const sql = (text: string, values: readonly (string | number)[] = []) => query(database.db, text, values);
  const erase = async (): Promise<string> => {
    const id = newId();
    await insertRow(database.db, 'account', { id, email: id, emailKey: id });
    const order = { accountId: id, askedByKind: 'System', erasesAt: new Date() };
    await insertRow(database.db, 'erasure', { id: newId(), ...order });
    await sql('update erasure set erased_at = now() where account_id = ?', [id]);
    return id;
  };
  const recordMail = (accountId: string, kind = 'password-changed') => {
    const mail = { id: newId(), kind, accountId, email: 'late@example.com', event: '{}' };
    return insertRow(database.db, 'mail_delivery', mail);
  };
  const mailsOf = async (id: string): Promise<number> =>
    (await sql('select id from mail_delivery where account_id = ?', [id])).length;
  /** Erases late mails; returns how many rows of all tables were read for it. */
  const forget = async (): Promise<number> => (await reading(database.db, '%', eraseLateMails)).read;
  const settle = () => sql(`update late_mail_check set erased_at = erased_at - interval '3 minutes'`);

  it('are removed at once, and a last time when nothing can follow', async () => {
    const id = await erase();
    await recordMail(id);
    await recordMail(id, 'account-erased');
    await forget();
    assert.equal(await mailsOf(id), 1);
    await recordMail(id);
    await settle();
    await forget();
    assert.equal(await mailsOf(id), 1);
    assert.deepEqual(await sql('select * from late_mail_check'), []);
  });

  it('cost nothing for accounts that were erased earlier, however many', async () => {
    await inTransaction(database.db, NO_DEADLINE, async (tx) => {
      await query(tx, 'set local session_replication_role = replica');
      await query(
        tx,
        `insert into erasure (id, account_id, asked_by_kind, erases_at, erased_at)
         select gen_random_uuid(), gen_random_uuid(), 'System', now(), now() from generate_series(1, ?)`,
        [ERASURES],
      );
      await query(
        tx,
        `insert into mail_delivery (id, kind, account_id, email, event)
         select gen_random_uuid(), 'password-changed', gen_random_uuid(), 'a@example.com', '{}'
         from generate_series(1, ?)`,
        [ERASURES],
      );
    });
    await sql('analyze');
    const id = await erase();
    await recordMail(id);
    const read = await forget();
    assert.ok(read < 20, `${read} rows`);
    assert.equal(await mailsOf(id), 0);
  });

  it('are looked for among thousands of accounts at a time after an outage', async () => {
    await sql(
      `insert into late_mail_check (account_id, erased_at)
       select gen_random_uuid(), now() - interval '1 hour' from generate_series(1, 8000)`,
    );
    const read = await forget();
    assert.ok(read < 20_000, `${read} rows`);
    assert.equal((await sql('select * from late_mail_check')).length, 3000);
  });
});
