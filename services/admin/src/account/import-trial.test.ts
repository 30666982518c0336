import assert from 'node:assert/strict';
import { readTables, someEmail } from '@gatehouse/accounts/testing';
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
    assert.deepEqual(await send(lines, '?dryRun=false'), failures);
    assert.deepEqual((await send(lines, '?dryRun=true')).Imported, 0);
  });
});
