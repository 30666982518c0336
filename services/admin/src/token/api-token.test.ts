import assert from 'node:assert/strict';
import { atOnce } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';

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
  const { app, boss, call, get, newToken, post, sql } = cast({});

  const create = async (given: object, who: { Token: string } = boss) =>
    (await post(PATH, who, given).expect(201)).body as Item & { Token: string };
  const list = async (search = '') => await boss.read(`${PATH}${search}`);
  const find = async (id: string) => ((await list()).Items as Item[]).find(({ Id }) => Id === id);
  const revoke = (id: string, who: string | { Token: string } = boss) => call('delete', `${PATH}/${id}`, who);

  it('shows a token once, when it is created', async () => {
    const answer = await boss.post(PATH, { Name: 'Importer' }).expect(201);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { Token, ...shown } = answer.body as Item & { Token: string };
    assert.match(Token, /^sat_[0-9A-Za-z]{49}$/);
    assert.match(shown.CreatedAt, /^\d{4}-.*Z$/);
    const { Id, CreatedAt } = shown;
    const Prefix = Token.slice(0, 12);
    const ends = { ExpiresAt: null, Networks: null, LastUsedIp: null, ReplacedBy: null };
    const known = { Id, CreatedAt, CreatedBy: boss.id, LastUsedAt: null, RevokedAt: null, ...ends };
    assert.deepEqual(shown, { ...known, Name: 'Importer', Prefix, Role: 'Service' });
    const { text } = await boss.get(PATH).expect(200);
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
    await get(PATH, Token).expect(403);
    await revoke(Id).expect(204);
    const [{ dump } = { dump: '' }] = await sql<{
      dump: string;
    }>(`select (select string_agg(t::text, '') from api_token t) || (select string_agg(a::text, '') from audit a)
         || coalesce((select string_agg(o::text, '') from outbox o), '') as dump`);
    assert.ok(dump.includes(Token.slice(0, 12)));
    const lines = await eventually(() => {
      const text = JSON.stringify(app().lines);
      return text.includes(`"serviceId":"${Id}"`) && text;
    });
    for (const text of [dump, lines]) {
      assert.ok(!text.includes(Token.slice(12)));
      assert.ok(!text.includes(Buffer.from(Token.slice(12)).toString('hex')));
    }
  });

  it('shows when a token was last used, with a delay, and not after it was revoked', async () => {
    const { Id, Token } = await create({ Name: 'Nightly' });
    assert.equal((await find(Id))?.LastUsedAt, null);
    const before = Date.now();
    await get(PATH, Token).expect(403);
    const used = await eventually(async () => (await find(Id))?.LastUsedAt);
    assert.ok(Date.parse(used) >= before - 1000 && Date.parse(used) <= Date.now() + 1000);
    await revoke(Id).expect(204);
    await eventually(async () => (await get(PATH, Token)).status === 401, 1);
    await get(PATH, Token).expect(401);
    const { LastUsedAt, RevokedAt } = (await find(Id)) ?? {};
    assert.ok(RevokedAt && LastUsedAt && LastUsedAt <= RevokedAt);
  });

  it('revokes idempotently', async () => {
    const { Id } = await create({ Name: 'Brief' });
    const answers = await atOnce(5, () => revoke(Id));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]));
    const revoked = (await find(Id))?.RevokedAt;
    await revoke(Id).expect(204);
    assert.equal((await find(Id))?.RevokedAt, revoked);
    const body = await boss.read(`/admin/audit?action=api-token.revoked&targetId=${Id}`);
    assert.equal(body.Items.length, 1);
  });

  it('accepts a name of 100 characters in any script, and none longer', async () => {
    const Name = `Ключ 🗝 ${'ß'.repeat(93)}`;
    assert.equal((await create({ Name })).Name, Name);
    await boss.post(PATH, { Name: `${Name}ß` }).expect(400);
  });

  it('may be created and revoked by a token of an administrator, whose id is recorded', async () => {
    const { Id } = await create({ Name: 'Mine' });
    const token = await newToken({ role: 'Admin' });
    const { CreatedBy } = await create({ Name: 'By a token', Role: 'Admin' }, token);
    assert.equal(CreatedBy, token.id);
    await revoke(Id, token).expect(204);
    const body = await boss.read(`/admin/audit?targetId=${Id}&action=api-token.revoked`);
    assert.deepEqual([body.Items[0].ActorKind, body.Items[0].ActorId], ['ApiToken', token.id]);
  });
});

describe('one API token', () => {
  const { boss } = cast();

  const create = async () => (await boss.post(PATH, { Name: 'Deploy' }).expect(201)).body;

  it('is returned as in the list, by its case-insensitive id, without the token itself', async () => {
    const [one] = [await create(), await create()];
    const { Token, ...known } = one;
    for (const id of [one.Id, one.Id.toUpperCase()]) {
      const { body, text } = await boss.get(`${PATH}/${id}`).expect(200);
      assert.deepEqual(body, known);
      assert.ok(!text.includes(Token.slice(12)));
    }
  });
});

describe('the list of API tokens', () => {
  const { get, login, member, post } = cast();

  const newAdmin = async () => {
    const person = await member({ role: 'Admin' });
    return { ...(await login(person)), id: person.id };
  };

  it('filters and counts by creator', async () => {
    const [ann, ben] = [await newAdmin(), await newAdmin()];
    for (const one of [ann, ben, ann]) await post(PATH, one, { Name: one.id }).expect(201);
    const { body } = await get(`${PATH}?createdBy=${ann.id}&count=true`, ben).expect(200);
    assert.deepEqual(
      body.Items.map(({ Name }: { Name: string }) => Name),
      [ann.id, ann.id],
    );
    assert.equal(body.Count, 2);
    const none = await get(`${PATH}?createdBy=${newId()}&count=true`, ben).expect(200);
    assert.deepEqual(none.body, { Items: [], Count: 0, CountIsExact: true });
  });
});
