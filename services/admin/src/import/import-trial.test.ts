import assert from 'node:assert/strict';
import { readTables, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account/import';

describe('POST /admin/account/import?dryRun=true', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const send = async (lines: readonly object[], search: string) => {
    const { body } = await admin.http
      .post(`${PATH}${search}`)
      .set({ ...admin.bearer(token), 'content-type': 'application/x-ndjson' })
      .serialize((value: unknown) => value as string)
      .send(lines.map((line) => JSON.stringify(line)).join('\n'))
      .expect(200);
    return body;
  };

  it('reports the same result as an import, and imports nothing', async () => {
    const known = await admin.newAccount();
    const fresh = Array.from({ length: 1200 }, () => ({ Email: someEmail() }));
    const lines = [
      ...fresh,
      { Email: known.email },
      { Email: 'x' },
      { Email: fresh[0]?.Email.toUpperCase() },
    ];
    const before = await readTables(admin.app);
    const failures = await send(lines, '?dryRun=true');
    assert.deepEqual(await readTables(admin.app), before);
    assert.deepEqual([failures.Imported, failures.Skipped, failures.Failed], [1200, 2, 1]);
    assert.deepEqual(
      failures.Failures.map(({ Line, Code }: { Line: number; Code: string }) => [Line, Code]),
      [
        [1201, 'email_taken'],
        [1202, 'invalid_line'],
        [1203, 'email_taken'],
      ],
    );
    const { Waiting, ...imported } = await send(lines, '?dryRun=false');
    assert.deepEqual(imported, failures);
    assert.equal(Waiting.length, 1000);
    assert.deepEqual((await send(lines, '?dryRun=true')).Imported, 0);
  });

  it('reports hashes that slow down every wrong password, like the import, which can leave them out', async () => {
    const hash = (cost: number) =>
      `$2b$${String(cost).padStart(2, '0')}$${'Gatehouse.'.repeat(6).slice(0, 53)}`;
    const [own, slow, slowest] = [4, 5, 12].map((cost) => ({ Email: someEmail(), PasswordHash: hash(cost) }));
    const known = { Email: (await admin.newAccount()).email, PasswordHash: hash(14) };
    const lines = [own, slow, slowest, known, { Email: 'x', PasswordHash: hash(14) }].flatMap(
      (line) => line ?? [],
    );
    const tried = await send(lines, '?dryRun=true');
    assert.deepEqual([tried.Imported, tried.SlowHashes], [3, { Lines: 2, Cost: 12 }]);
    assert.deepEqual(await send(lines, '?dryRun=true&slowHashes=drop'), tried);
    const { Waiting, ...imported } = await send(lines, '?slowHashes=drop');
    assert.deepEqual([imported, Waiting.length], [tried, 2]);
    const stored = await query<{ signup: string; hash: string | null }>(
      admin.app.db,
      `select signup, substr(password_hash, 1, 7) as hash from account where email = any(cast(? as text[]))
       order by password_hash nulls last`,
      [[own?.Email ?? '', slow?.Email ?? '', slowest?.Email ?? '']],
    );
    assert.deepEqual(stored, [
      { signup: 'complete', hash: '$2b$04$' },
      { signup: 'migration', hash: null },
      { signup: 'migration', hash: null },
    ]);
    const kept = [{ Email: someEmail(), PasswordHash: hash(12) }, { Email: someEmail() }];
    assert.deepEqual((await send(kept, '')).SlowHashes, { Lines: 1, Cost: 12 });
    assert.equal((await send([{ Email: someEmail() }], '')).SlowHashes, undefined);
  });
});
