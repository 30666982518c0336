import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { someName, startPersons, type TestPersons } from '../testing/persons.ts';

describe('/person', () => {
  let core: TestPersons;
  before(async () => {
    // Without a broker, events stay in the outbox, where the test reads them.
    core = await startPersons({ AMQP_URL: 'amqp://127.0.0.1:1' });
  });
  after(() => core.stop());

  const NONE = { Automatch: 0, ProbableMatch: 0, NotMatch: 0, ConfirmedMatch: 0, Blurry: 0 };

  it('adds, shows, changes and deletes a person', async () => {
    const given = { Name: ` ${someName()} `, Notes: 'tall\nand thin', ExternalId: 'E-1' };
    const added = await core.post('/person', given).expect(201);
    const { Id, CreatedAt, UpdatedAt } = added.body;
    const at = `/person/${Id}`;
    assert.equal(added.headers['location'], at);
    assert.match(added.headers['etag'] ?? '', /^"[^"]+"$/);
    const person = { Id, ...given, Name: given.Name.trim(), FaceMatchCounts: NONE, CreatedAt, UpdatedAt };
    assert.deepEqual(added.body, person);
    const shown = await core.get(at).expect(200, person);
    assert.equal(shown.headers['etag'], added.headers['etag']);

    const changed = await core.put(at, { Name: person.Name.toUpperCase(), Notes: null }).expect(200);
    assert.deepEqual(
      { ...changed.body, UpdatedAt },
      { ...person, Name: person.Name.toUpperCase(), Notes: null, ExternalId: null },
    );
    assert.ok(changed.body.UpdatedAt > UpdatedAt);
    assert.notEqual(changed.headers['etag'], added.headers['etag']);
    await core.get(at).expect(200, changed.body);

    await core.remove(at).expect(204, '');
    for (const answer of [core.get(at), core.remove(at), core.put(at, given), core.get(`${at}/1`)]) {
      assert.equal((await answer.expect(404)).body.code, 'not_found');
    }
    await core.post('/person', given).expect(201);
  });

  it('accepts its own response as a request', async () => {
    const { body } = await core.post('/person', { Name: someName() }).expect(201);
    await core.put(`/person/${body.Id}`, body).expect(200);
  });

  it('refuses a name that is taken, in any spelling, and allows a person to keep their own', async () => {
    const tag = newId();
    const id = await core.addPerson(`Straße ${tag}`);
    const other = await core.addPerson();
    for (const name of [`STRASSE ${tag}`, ` straße ${tag}\u00a0`, `Ｓtraße ${tag}`, `straẞe ${tag}`]) {
      const { body } = await core.post('/person', { Name: name }).expect(409);
      assert.equal(body.code, 'name_taken');
      assert.equal((await core.put(`/person/${other}`, { Name: name }).expect(409)).body.code, 'name_taken');
      await core.put(`/person/${id}`, { Name: name }).expect(200);
    }
    await core.post('/person', { Name: `Straße  ${tag}` }).expect(201);
  });

  it('assigns a name once with fifty concurrent requests, by POST or by PUT', async () => {
    const name = someName();
    const posts = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        core.post('/person', { Name: at % 2 ? name : name.toUpperCase() }),
      ),
    );
    const statuses = posts.map(({ status }) => status);
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [201, ...Array.from({ length: 49 }, () => 409)],
    );
    const ids = await Promise.all(Array.from({ length: 10 }, () => core.addPerson()));
    const wanted = { Name: someName() };
    const puts = await Promise.all(ids.map((id) => core.put(`/person/${id}`, wanted)));
    assert.deepEqual(
      puts.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, ...Array.from({ length: 9 }, () => 409)],
    );
  });

  it('changes nothing when If-Match does not match', async () => {
    const id = await core.addPerson();
    const at = `/person/${id}`;
    const { headers } = await core.get(at);
    const first = String(headers['etag']);
    const putIf = (ifMatch: string) => core.put(at, { Name: someName() }).set('if-match', ifMatch);
    const { headers: newer } = await putIf(first).expect(200);
    const second = String(newer['etag']);
    for (const stale of [first, `W/${second}`, '""', 'x', second.slice(1, -1), `W/${first}, "x"`, '']) {
      const before = (await core.get(at)).body;
      assert.equal((await putIf(stale).expect(412)).body.code, 'precondition_failed', stale);
      assert.equal(
        (await core.remove(at).set('if-match', stale).expect(412)).body.code,
        'precondition_failed',
      );
      assert.deepEqual((await core.get(at)).body, before);
    }
    await putIf(`"x", ${second}`).expect(200);
    await putIf('*').expect(200);
    const current = String((await core.get(at)).headers['etag']);
    const rivals = await Promise.all(Array.from({ length: 10 }, () => putIf(current)));
    assert.equal(rivals.filter(({ status }) => status === 200).length, 1);
    assert.equal(rivals.filter(({ status }) => status === 412).length, 9);
  });

  it('keeps the ETag when a face is reported', async () => {
    const id = await core.addPerson();
    const { headers } = await core.get(`/person/${id}`);
    await core.addFace(id);
    await core
      .put(`/person/${id}`, { Name: someName() })
      .set('if-match', String(headers['etag']))
      .expect(200);
  });

  it('lists newest first, paged, and finds by a literal part of the name', async () => {
    const tag = newId();
    const ids: string[] = [];
    for (const name of ['Ὀδυσσεύς', '100%_\\a', '100 xya'])
      ids.unshift(await core.addPerson(`${name} ${tag}`));
    const find = async (search: string, more = '') => {
      const { body } = await core.get(`/person?search=${encodeURIComponent(search)}${more}`).expect(200);
      return body as { Items: { Id: string }[]; NextCursor?: string };
    };
    const found = async (search: string) => (await find(search)).Items.map(({ Id }) => Id);
    assert.deepEqual(await found(tag), ids);
    assert.deepEqual(await found(` ${tag.toUpperCase()} `), ids);
    assert.deepEqual(await found(`ὈΔΥΣΣΕΎΣ ${tag}`), [ids[2]]);
    assert.deepEqual(await found('%_\\a'), [ids[1]]);
    assert.deepEqual(await found(`_${tag}`), []);
    const page = await find(tag, '&limit=2');
    assert.deepEqual(
      page.Items.map(({ Id }) => Id),
      ids.slice(0, 2),
    );
    await core.addPerson(`later ${tag}`);
    const rest = await find(tag, `&limit=2&cursor=${page.NextCursor}`);
    assert.deepEqual(
      rest.Items.map(({ Id }) => Id),
      ids.slice(2),
    );
    assert.equal(rest.NextCursor, undefined);
    for (const bad of ['limit=0', 'limit=201', 'cursor=x', 'search=%00', `search=${'x'.repeat(201)}`]) {
      await core.get(`/person?${bad}`).expect(400);
    }
    await core.get('/person?search=').expect(200);
  });
});
