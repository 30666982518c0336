import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { query } from '../postgres/connect.ts';
import { testDatabase, type TestDatabase } from '../testing/index.ts';
import * as passwordHashes from './password-hashes.ts';

describe('the costs of stored hashes', () => {
  let database: TestDatabase;
  before(async () => (database = await testDatabase()));
  after(() => database.drop());

  const keep = (hash: string) =>
    query(
      database.db,
      `insert into account (id, email, email_key, locale, role, signup, password_hash, password_scheme)
       values (?, ?, ?, 'en', 'User', 'complete', ?, 'raw')`,
      [...Array.from({ length: 3 }, () => randomUUID()), hash],
    );
  const highest = (...bounds: number[]) => passwordHashes.findHighestCosts(database.db, bounds);

  it('are queried by algorithm', async () => {
    assert.deepEqual(await highest(19, 99), []);
    for (const digits of ['09', '12', '10']) await keep(`$2b$${digits}$`.padEnd(60, 'a'));
    assert.deepEqual(await highest(19, 99), [12, 12]);
    for (const digits of ['21', '22']) await keep(`$gh$${digits}$pbkdf2-sha1,1,20$c2FsdA$`.padEnd(60, 'a'));
    assert.deepEqual(await highest(19, 99), [12, 22]);
    assert.deepEqual(await highest(19), [12]);
  });

  it('are read from valid hashes only', async () => {
    for (const text of ['$gh$1x$', '$gh$9/$', '$gh$99', '$gh$ 9$', '', '$gh$9'])
      await keep(text.padEnd(4, 'a'));
    assert.deepEqual(await highest(19, 98), [12, 22]);
  });
});
