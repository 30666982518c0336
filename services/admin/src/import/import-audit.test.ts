import assert from 'node:assert/strict';
import { readAudit } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account/import';

describe('the audit of an import', () => {
  let admin: TestAdmin;
  let me: string;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    const person = await admin.newAccount({ role: 'Admin' });
    me = person.id;
    token = (await admin.login(person)).Token;
  });
  after(() => admin.stop());

  const send = (body: string | Buffer, kind = 'application/x-ndjson') =>
    admin.http
      .post(PATH)
      .set({ ...admin.bearer(token), 'content-type': kind })
      .serialize((value: unknown) => value as string)
      .send(body as string);
  const imported = async (lines: (object | string)[]) => {
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    return (await send(text).expect(200)).body;
  };
  /** A domain that only this test uses, for counting. */
  const someDomain = () => `${newId().slice(-12)}.example`;

  it('records each batch in the audit with its count, and no address', async () => {
    const before = (await readAudit(admin.app, { action: 'account.imported' })).entries.length;
    const domain = someDomain();
    await imported(Array.from({ length: 700 }, (_, at) => ({ Email: `p${at}@${domain}` })));
    const { entries } = await readAudit(admin.app, { action: 'account.imported' });
    assert.deepEqual(
      entries.slice(0, entries.length - before).map(({ actorId, details }) => [actorId, details]),
      [
        [me, { Imported: 200 }],
        [me, { Imported: 500 }],
      ],
    );
  });

  it('names every administrator that an import makes in the audit', async () => {
    const domain = someDomain();
    await imported([{ Email: `was@${domain}` }]);
    await imported([
      { Email: `user@${domain}` },
      { Email: `chief@${domain}`, Role: 'Admin' },
      { Email: `was@${domain}`, Role: 'Admin' },
    ]);
    const chief = await accounts.findByEmailKey(admin.app.db, `chief@${domain}`);
    const { entries } = await readAudit(admin.app, { action: 'account.imported' });
    assert.deepEqual(
      entries.slice(0, 2).map(({ actorId, targetId, details }) => [actorId, targetId, details]),
      [
        [me, chief?.id, { Role: 'Admin' }],
        [me, null, { Imported: 2 }],
      ],
    );
  });
});
