import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/api-token';

interface Item {
  Id: string;
  Name: string;
  Prefix: string;
  Role: string;
  CreatedAt: string;
  CreatedBy: string | null;
  LastUsedAt: string | null;
  RevokedAt: string | null;
}

describe('/admin/api-token', () => {
  let admin: TestAdmin;
  let me: { id: string; Token: string };
  before(async () => {
    admin = await startAdmin();
    const person = await admin.newAccount({ role: 'Admin' });
    me = { ...(await admin.login(person)), id: person.id };
  });
  after(() => admin.stop());

  const create = async (given: object, who: { Token: string } = me) =>
    (await admin.post(PATH, who, given).expect(201)).body as Item & { Token: string };
  const list = async (search = '') => (await admin.get(`${PATH}${search}`, me).expect(200)).body;
  const find = async (id: string) => ((await list()).Items as Item[]).find(({ Id }) => Id === id);
  const revoke = (id: string, who: string | { Token: string } = me) =>
    admin.call('delete', `${PATH}/${id}`, who);

  it('shows a token once, when it is created', async () => {
    const answer = await admin.post(PATH, me, { Name: 'Importer' }).expect(201);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { Token, ...shown } = answer.body as Item & { Token: string };
    assert.match(Token, /^sat_[0-9A-Za-z]{49}$/);
    assert.match(shown.CreatedAt, /^\d{4}-.*Z$/);
    const { Id, CreatedAt } = shown;
    const Prefix = Token.slice(0, 12);
    const ends = { ExpiresAt: null, Networks: null, LastUsedIp: null, ReplacedBy: null };
    const known = { Id, CreatedAt, CreatedBy: me.id, LastUsedAt: null, RevokedAt: null, ...ends };
    assert.deepEqual(shown, { ...known, Name: 'Importer', Prefix, Role: 'Service' });
    const { text } = await admin.get(PATH, me).expect(200);
    assert.ok(text.includes(Prefix) && !text.includes(Token.slice(12)));
    assert.deepEqual(await find(Id), shown);
  });

  it('creates tokens of each role', async () => {
    for (const Role of ['Feed', 'Service', 'Admin']) {
      assert.equal((await create({ Name: 'One', Role: Role.toLowerCase() })).Role, Role);
    }
  });

  it('stores and logs no token', async () => {
    const { Id, Token } = await create({ Name: 'Secret' });
    await admin.get(PATH, Token).expect(403);
    await revoke(Id).expect(204);
    const [{ dump } = { dump: '' }] = await query<{ dump: string }>(
      admin.app.db,
      `select (select string_agg(t::text, '') from api_token t) || (select string_agg(a::text, '') from audit a)
         || coalesce((select string_agg(o::text, '') from outbox o), '') as dump`,
    );
    assert.ok(dump.includes(Token.slice(0, 12)));
    const lines = await eventually(() => {
      const text = JSON.stringify(admin.app.lines);
      return text.includes(`"serviceId":"${Id}"`) && text;
    });
    for (const text of [dump, lines]) {
      assert.ok(!text.includes(Token.slice(12)));
      assert.ok(!text.includes(Buffer.from(Token.slice(12)).toString('hex')));
    }
  });

  it('allows several tokens, so that one can replace another', async () => {
    const [older, newer] = [
      await create({ Name: 'Deploy', Role: 'Admin' }),
      await create({ Name: 'Deploy', Role: 'Admin' }),
    ];
    for (const { Token } of [older, newer]) await admin.get(PATH, Token).expect(200);
    await revoke(older.Id).expect(204, '');
    await eventually(async () => (await admin.get(PATH, older.Token)).status === 401, 1);
    await admin.get(PATH, newer.Token).expect(200);
  });

  it('shows when a token was last used, with a delay, and not after it was revoked', async () => {
    const { Id, Token } = await create({ Name: 'Nightly' });
    assert.equal((await find(Id))?.LastUsedAt, null);
    const before = Date.now();
    await admin.get(PATH, Token).expect(403);
    const used = await eventually(async () => (await find(Id))?.LastUsedAt);
    assert.ok(Date.parse(used) >= before - 1000 && Date.parse(used) <= Date.now() + 1000);
    await revoke(Id).expect(204);
    await eventually(async () => (await admin.get(PATH, Token)).status === 401, 1);
    await admin.get(PATH, Token).expect(401);
    const { LastUsedAt, RevokedAt } = (await find(Id)) ?? {};
    assert.ok(RevokedAt && LastUsedAt && LastUsedAt <= RevokedAt);
  });

  it('revokes idempotently, and responds with 404 for an unknown token', async () => {
    const { Id } = await create({ Name: 'Brief' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => revoke(Id)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]));
    const revoked = (await find(Id))?.RevokedAt;
    await revoke(Id).expect(204);
    assert.equal((await find(Id))?.RevokedAt, revoked);
    const { body } = await admin.get(`/admin/audit?action=api-token.revoked&targetId=${Id}`, me).expect(200);
    assert.equal(body.Items.length, 1);
    assert.equal((await revoke(newId()).expect(404)).body.code, 'not_found');
    await revoke('x').expect(400);
  });

  it('lists newest first, paged, each once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift((await create({ Name: `No. ${index}` })).Id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const body = (await list(`?limit=2${cursor}`)) as { Items: Item[]; NextCursor?: string };
      seen.push(...body.Items.map(({ Id }) => Id));
      cursor = body.NextCursor === undefined ? '' : `&cursor=${body.NextCursor}`;
    } while (cursor !== '');
    assert.deepEqual(seen.slice(0, 5), ids);
    assert.equal(new Set(seen).size, seen.length);
  });

  it('accepts a name of 100 characters in any script, and ignores other fields', async () => {
    const Name = 'Ключ 🗝 '.padEnd(100, 'ß');
    for (const other of ['Token', 'Prefix', 'RevokedAt', 'CreatedBy']) {
      const { body } = await admin.post(PATH, me, { Name, [other]: newId() }).expect(400);
      assert.equal(body.errors[0].pointer, `/${other}`);
    }
    const { Id, ...shown } = await create({ Name });
    assert.deepEqual([shown.Name, shown.CreatedBy, shown.RevokedAt], [Name, me.id, null]);
    assert.notEqual(shown.Token, 'sat_mine');
    assert.equal((await find(Id))?.Prefix, shown.Token.slice(0, 12));
  });

  it('may be created and revoked by a token of an administrator, whose id is recorded', async () => {
    const { Id } = await create({ Name: 'Mine' });
    const token = await admin.newToken({ role: 'Admin' });
    const { CreatedBy } = await create({ Name: 'By a token', Role: 'Admin' }, token);
    assert.equal(CreatedBy, token.id);
    await revoke(Id, token).expect(204);
    const { body } = await admin.get(`/admin/audit?targetId=${Id}&action=api-token.revoked`, me).expect(200);
    assert.deepEqual([body.Items[0].ActorKind, body.Items[0].ActorId], ['ApiToken', token.id]);
  });
});
