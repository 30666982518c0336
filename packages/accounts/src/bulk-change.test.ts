import assert from 'node:assert/strict';
import { inTransaction, query, type Transaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { changeInBulk, unproven, UNPROVEN_MAX, type BulkOrder } from './bulk-change.ts';
import { bulkChangeInvitations } from './index.ts';
import {
  accountFixtures,
  newContent,
  openTestAccounts,
  readTables,
  type TestAccounts,
} from './testing/index.ts';

const ORDER: BulkOrder = {
  actor: { kind: 'System' },
  origin: { traceId: 'test', dueAt: Infinity },
  isTrial: false,
  isUnproven: false,
};

describe('a bulk change', () => {
  let app: TestAccounts;
  before(async () => {
    app = await openTestAccounts({ SINGLE_SESSION: false });
    await app.relay.stop();
  });
  after(() => app.stop());

  const newAccount = (role: 'User' | 'Guest' = 'User') => accountFixtures(app).newAccount({ role });
  /** A guest with two invitations that are pending. */
  const newGuest = async ({ isDisabled = false } = {}) => {
    const { id } = await newAccount('Guest');
    await query(
      app.db,
      `update account
       set signup = 'invitation', password_hash = null, password_scheme = null, is_disabled = ?
       where id = ?`,
      [isDisabled, id],
    );
    const contentDefinitionId = await newContent(app);
    for (const content of [contentDefinitionId, await newContent(app)]) await invite(id, content);
    return { id, contentDefinitionId };
  };
  const invite = (accountId: string, contentDefinitionId: string) =>
    query(
      app.db,
      `insert into invitation (id, account_id, content_definition_id, token_hash, invited_email, expires_at)
       values (?, ?, ?, ?, '', now() + interval '1 day')`,
      [newId(), accountId, contentDefinitionId, Buffer.from(newId())],
    );

  type Change = (order: BulkOrder) => Promise<object>;
  const changes: Record<string, () => Promise<Change>> = {
    'that deletes invitations': async () => {
      const { contentDefinitionId } = await newGuest();
      const what = { filter: { contentDefinitionId }, change: 'delete' } as const;
      return (order) => bulkChangeInvitations(app, what, order);
    },
    'that resends invitations, and skips one': async () => {
      const { contentDefinitionId } = await newGuest();
      await invite((await newGuest({ isDisabled: true })).id, contentDefinitionId);
      const what = { filter: { contentDefinitionId }, change: 'resend' } as const;
      return (order) => bulkChangeInvitations(app, what, order);
    },
  };

  for (const [name, prepare] of Object.entries(changes)) {
    it(`${name} has a dry run that waits for nobody, writes nothing, and says what it then does`, async () => {
      const change = await prepare();
      const before = await readTables(app);
      const trial = await whileAllIsLocked(app, () => change({ ...ORDER, isTrial: true }));
      assert.deepEqual(await readTables(app), before);
      assert.deepEqual(withoutTimes(await change(ORDER)), withoutTimes(trial));
      assert.notDeepEqual(await readTables(app), before);
    });
  }

  it('is not carried out if it is refused, in a dry run neither', async () => {
    const carriedOut: string[] = [];
    const change = {
      plan: () => Promise.resolve({ kind: 'planned' as const }),
      carryOut: () => Promise.resolve(carriedOut.push('done')),
    };
    const unknown = { ...change, plan: () => Promise.resolve({ kind: 'unknown' as const }) };
    for (const isTrial of [false, true])
      assert.deepEqual(await changeInBulk(app, { ...ORDER, isTrial }, unknown), { kind: 'unknown' });
    // What lacks a fresh proof can be tried out.
    const refused = { ...change, refuse: () => ({ kind: 'unproven' as const }) };
    assert.deepEqual(await changeInBulk(app, ORDER, refused), { kind: 'unproven' });
    assert.deepEqual(await changeInBulk(app, { ...ORDER, isTrial: true }, refused), { kind: 'planned' });
    assert.deepEqual(carriedOut, []);
  });

  it('requires a fresh proof of identity if it is large or sensitive', () => {
    const refused = { kind: 'unproven' };
    const actor = { kind: 'Account', id: newId() } as const;
    assert.deepEqual(unproven({ isUnproven: true, actor }, UNPROVEN_MAX), undefined);
    assert.deepEqual(unproven({ isUnproven: true, actor }, UNPROVEN_MAX + 1), refused);
    assert.deepEqual(unproven({ isUnproven: true, actor }, 1, true), refused);
    assert.deepEqual(unproven({ isUnproven: false, actor }, UNPROVEN_MAX + 1, true), undefined);
    const token = { kind: 'ApiToken', id: newId() } as const;
    assert.deepEqual(unproven({ isUnproven: true, actor: token }, UNPROVEN_MAX + 1), undefined);
    assert.deepEqual(unproven({ isUnproven: true, actor: token }, 1, true), refused);
  });
});

/** Runs `work` while another transaction has locked every row that a bulk change could lock. */
async function whileAllIsLocked<T>(app: TestAccounts, work: () => Promise<T>): Promise<T> {
  return await inTransaction(app.db, NO_DEADLINE, async (tx: Transaction) => {
    for (const table of ['account', 'user_session', 'invitation', 'content_definition'])
      await query(tx, `select id from ${table} for update`);
    return work();
  });
}

/** An outcome without what depends on the time of the call. */
function withoutTimes(outcome: object): unknown {
  return JSON.parse(
    JSON.stringify(outcome, (name, value: unknown) =>
      ['endedAt', 'deletedAt', 'lastSeenAt', 'expiresAt', 'isOnline'].includes(name) ? undefined : value,
    ),
  );
}
