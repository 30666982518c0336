import assert from 'node:assert/strict';
import { readTables, someEmail, whileAuditFails, whileCommitsFail } from '@gatehouse/accounts/testing';
import { contentAccess, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { auditCast } from './testing.ts';

const PATH = '/admin/audit';
const CONTENT = '/admin/content-definition';
const TOKENS = '/admin/api-token';

describe('the audit', () => {
  const { addContent, app, audit, boss, call, get, list, login, member } = auditCast();

  it('records every change of content and of tokens once, and no call without effect', async () => {
    const owner = await member();
    const id = await addContent();
    const at = `${CONTENT}/${id}`;
    await boss.put(at, { Name: 'Old news', Kind: 'Recording', OwnerId: owner.id }).expect(200);
    const guest = await member({ role: 'Guest' });
    const grant = { contentDefinitionId: id, accountId: guest.id, grantedBy: undefined };
    await inTransaction(app().db, NO_DEADLINE, (tx) => contentAccess.grant(tx, grant));
    await boss.put(at, { Name: '' }).expect(400);
    await boss.put(at, { Name: 'x', Kind: 'Document', OwnerId: newId() }).expect(400);
    await boss.get(at).expect(200);
    await boss.delete(at).expect(204);
    await boss.delete(at).expect(404);
    const { Items } = await list(`?targetId=${id}`);
    assert.deepEqual(
      Items.map(({ Action, Details }) => [Action, Details]),
      [
        ['content.deleted', { UsersRemoved: 1 }],
        ['content.changed', { Changed: ['Name', 'Kind', 'OwnerId'], Kind: 'Recording', OwnerId: owner.id }],
        ['content.created', { Kind: 'Document', OwnerId: null }],
      ],
    );
    const { body: token } = await boss.post(TOKENS, { Name: 'x', Role: 'Admin' }).expect(201);
    await boss.delete(`${TOKENS}/${token.Id}`).expect(204);
    assert.deepEqual(
      (await list(`?targetId=${token.Id}`)).Items.map(({ Action, Details }) => [Action, Details]),
      [
        ['api-token.revoked', {}],
        ['api-token.created', { Role: 'Admin' }],
      ],
    );
  });

  it('is atomic with the change that it records', async () => {
    const id = await addContent();
    const { body: token } = await boss.post(TOKENS, { Name: 'x' }).expect(201);
    const guest = await member({ role: 'Guest' });
    const session = await login(guest);
    const grant = { contentDefinitionId: id, accountId: guest.id, grantedBy: undefined };
    await inTransaction(app().db, NO_DEADLINE, (tx) => contentAccess.grant(tx, grant));
    const given = { Name: 'Changed', Kind: 'Recording' };
    for (const [method, path, body, status] of [
      ['post', CONTENT, given, 201],
      ['put', `${CONTENT}/${id}`, given, 200],
      ['post', TOKENS, { Name: 'y' }, 201],
      ['patch', `/admin/account/${guest.id}`, { DisplayName: 'Gus' }, 200],
      ['delete', `${TOKENS}/${token.Id}`, undefined, 204],
      ['delete', `${CONTENT}/${id}`, undefined, 204],
    ] as const) {
      const ask = () => call(method, path, boss, body);
      const before = await readTables(app());
      for (const whileFaulty of [whileAuditFails, whileCommitsFail]) {
        await whileFaulty(app(), async () => {
          const { text } = await ask().expect(500);
          assert.ok(!text.includes('nothing more') && !text.includes('sat_'));
        });
        assert.deepEqual(await readTables(app()), before, `${whileFaulty.name} ${method} ${path}`);
      }
      assert.equal((await get(PATH, session).expect(403)).body.code, 'forbidden');
      await ask().expect(status);
    }
    assert.equal((await get(PATH, session).expect(401)).body.code, 'invite_deleted');
  });

  it('records bulk changes, each once, with what each has changed', async () => {
    const id = await addContent();
    const kinds = Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? 'Recording' : 'Document'));
    await Promise.all(kinds.map((Kind) => boss.put(`${CONTENT}/${id}`, { Name: 'News', Kind }).expect(200)));
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
    const { body: content } = await boss.post(CONTENT, { Name: email, Kind: 'Document' }).expect(201);
    await boss.put(`${CONTENT}/${content.Id}`, { Name: `of ${email}`, Kind: 'Document' }).expect(200);
    const { body: token } = await boss.post(TOKENS, { Name: `for ${email}` }).expect(201);
    await boss.delete(`${CONTENT}/${content.Id}`).expect(204);
    const { text } = await audit();
    assert.ok(text.includes(content.Id));
    for (const secret of [
      email,
      boss.email,
      token.Token,
      token.Token.slice(4),
      token.Prefix,
      boss.Token,
      '@',
      'sat_',
    ]) {
      assert.ok(!text.includes(secret), secret);
    }
  });
});
