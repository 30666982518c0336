import assert from 'node:assert/strict';
import {
  readAudit,
  readTables,
  someEmail,
  whileAuditFails,
  whileCommitsFail,
} from '@gatehouse/accounts/testing';
import { contentAccess, query, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { startAudited, type Audited } from './testing.ts';

const PATH = '/admin/audit';
const CONTENT = '/admin/content-definition';
const TOKENS = '/admin/api-token';

describe('the audit', () => {
  let admin: Audited['admin'];
  let me: Audited['me'];
  let list: Audited['list'];
  let addContent: Audited['addContent'];
  before(async () => {
    ({ admin, me, list, addContent } = await startAudited());
  });
  after(() => admin.stop());

  it('records every change of content and of tokens once, and no call without effect', async () => {
    const owner = await admin.newAccount();
    const id = await addContent();
    const at = `${CONTENT}/${id}`;
    await admin.call('put', at, me, { Name: 'Old news', Kind: 'Recording', OwnerId: owner.id }).expect(200);
    const guest = await admin.newAccount({ role: 'Guest' });
    const grant = { contentDefinitionId: id, accountId: guest.id, grantedBy: undefined };
    await inTransaction(admin.app.db, NO_DEADLINE, (tx) => contentAccess.grant(tx, grant));
    await admin.call('put', at, me, { Name: '' }).expect(400);
    await admin.call('put', at, me, { Name: 'x', Kind: 'Document', OwnerId: newId() }).expect(400);
    await admin.get(at, me).expect(200);
    await admin.call('delete', at, me).expect(204);
    await admin.call('delete', at, me).expect(404);
    const { Items } = await list(`?targetId=${id}`);
    assert.deepEqual(
      Items.map(({ Action, Details }) => [Action, Details]),
      [
        ['content.deleted', { UsersRemoved: 1 }],
        ['content.changed', { Changed: ['Name', 'Kind', 'OwnerId'], Kind: 'Recording', OwnerId: owner.id }],
        ['content.created', { Kind: 'Document', OwnerId: null }],
      ],
    );
    const { body: token } = await admin.post(TOKENS, me, { Name: 'x', Role: 'Admin' }).expect(201);
    await admin.call('delete', `${TOKENS}/${token.Id}`, me).expect(204);
    assert.deepEqual(
      (await list(`?targetId=${token.Id}`)).Items.map(({ Action, Details }) => [Action, Details]),
      [
        ['api-token.revoked', {}],
        ['api-token.created', { Role: 'Admin' }],
      ],
    );
  });

  for (const statement of [
    "update audit set details = '{}'",
    'delete from audit',
    'truncate audit',
    'update audit set at = now() where false',
  ]) {
    it(`is append-only: refuses “${statement}”`, async () => {
      await addContent();
      const { entries } = await readAudit(admin.app);
      await assert.rejects(query(admin.app.db, statement), /append-only/);
      assert.deepEqual((await readAudit(admin.app)).entries, entries);
    });
  }

  it('is atomic with the change that it records', async () => {
    const id = await addContent();
    const { body: token } = await admin.post(TOKENS, me, { Name: 'x' }).expect(201);
    const guest = await admin.newAccount({ role: 'Guest' });
    const session = await admin.login(guest);
    const grant = { contentDefinitionId: id, accountId: guest.id, grantedBy: undefined };
    await inTransaction(admin.app.db, NO_DEADLINE, (tx) => contentAccess.grant(tx, grant));
    const given = { Name: 'Changed', Kind: 'Recording' };
    for (const [method, path, body, status] of [
      ['post', CONTENT, given, 201],
      ['put', `${CONTENT}/${id}`, given, 200],
      ['post', TOKENS, { Name: 'y' }, 201],
      ['delete', `${TOKENS}/${token.Id}`, undefined, 204],
      ['delete', `${CONTENT}/${id}`, undefined, 204],
    ] as const) {
      const call = () => admin.call(method, path, me, body);
      const before = await readTables(admin.app);
      for (const whileFaulty of [whileAuditFails, whileCommitsFail]) {
        await whileFaulty(admin.app, async () => {
          const { text } = await call().expect(500);
          assert.ok(!text.includes('nothing more') && !text.includes('sat_'));
        });
        assert.deepEqual(await readTables(admin.app), before, `${whileFaulty.name} ${method} ${path}`);
      }
      assert.equal((await admin.get(PATH, session).expect(403)).body.code, 'forbidden');
      await call().expect(status);
    }
    assert.equal((await admin.get(PATH, session).expect(401)).body.code, 'invite_deleted');
  });

  it('records bulk changes, each once, with what each has changed', async () => {
    const id = await addContent();
    const kinds = Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? 'Recording' : 'Document'));
    await Promise.all(
      kinds.map((Kind) => admin.call('put', `${CONTENT}/${id}`, me, { Name: 'News', Kind }).expect(200)),
    );
    const entries = (await list(`?targetId=${id}`)).Items as {
      Details: { Kind: string; Changed?: string[] };
    }[];
    assert.equal(entries.length, kinds.length + 1);
    entries.slice(0, -1).forEach(({ Details }, index) => {
      const before = entries[index + 1]?.Details.Kind;
      assert.deepEqual(Details.Changed, Details.Kind === before ? [] : ['Kind']);
    });
  });

  it('holds no name, email or token', async () => {
    const email = someEmail();
    const { body: content } = await admin.post(CONTENT, me, { Name: email, Kind: 'Document' }).expect(201);
    await admin
      .call('put', `${CONTENT}/${content.Id}`, me, { Name: `of ${email}`, Kind: 'Document' })
      .expect(200);
    const { body: token } = await admin.post(TOKENS, me, { Name: `for ${email}` }).expect(201);
    await admin.call('delete', `${CONTENT}/${content.Id}`, me).expect(204);
    const { text } = await readAudit(admin.app);
    assert.ok(text.includes(content.Id));
    for (const secret of [
      email,
      me.email,
      token.Token,
      token.Token.slice(4),
      token.Prefix,
      me.Token,
      '@',
      'sat_',
    ]) {
      assert.ok(!text.includes(secret), secret);
    }
  });
});
