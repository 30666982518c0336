import assert from 'node:assert/strict';
import { atOnce, readAudit, statusesOf, whileAuditFails } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { during, problem } from '../testing/index.ts';
import { someName, startPersons } from '../testing/persons.ts';
import { routes } from '../app.ts';
import { readPersonRoles } from './person.ts';
import { nameKeyOf, readName } from './person-name.ts';
import { fieldsOf } from '@gatehouse/runtime/testing';

describe('/person', () => {
  const core = during(() => startPersons());

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
    assert.equal((await core.get(at).expect(200, person)).headers['etag'], added.headers['etag']);

    const changed = await core.put(at, { Name: person.Name.toUpperCase(), Notes: null }).expect(200);
    const renamed = { ...person, Name: person.Name.toUpperCase(), Notes: null, ExternalId: null };
    assert.deepEqual({ ...changed.body, UpdatedAt }, renamed);
    assert.ok(changed.body.UpdatedAt > UpdatedAt);
    assert.notEqual(changed.headers['etag'], added.headers['etag']);
    await core.get(at).expect(200, changed.body);
    // Its own response is a request.
    await core.put(at, changed.body).expect(200);

    await core.remove(at).expect(204, '');
    const reported = core.post(`${at}/face`, { SourceId: newId(), Similarity: 0.8 });
    for (const answer of [core.get(at), core.remove(at), core.put(at, given), core.get(`${at}/1`), reported])
      await answer.expect(problem('not_found'));
    await core.post('/person', given).expect(201);
  });

  it('refuses a name that is taken, in any spelling, and allows a person to keep their own', async () => {
    const tag = newId();
    const [id, other] = [await core.addPerson(`Straße ${tag}`), await core.addPerson()];
    for (const Name of [`STRASSE ${tag}`, ` Ｓtraße ${tag}\u00a0`]) {
      for (const refused of [core.post('/person', { Name }), core.put(`/person/${other}`, { Name })])
        await refused.expect(problem('name_taken'));
      await core.put(`/person/${id}`, { Name }).expect(200);
    }
    await core.post('/person', { Name: `Straße  ${tag}` }).expect(201);
  });

  it('assigns a name once with fifty concurrent requests, by POST or by PUT', async () => {
    const name = someName();
    const posts = await atOnce(50, (at) =>
      core.post('/person', { Name: at % 2 ? name : name.toUpperCase() }),
    );
    assert.deepEqual(statusesOf(posts), [201, ...Array<number>(49).fill(409)]);
    const ids = await atOnce(10, () => core.addPerson());
    const wanted = { Name: someName() };
    const puts = await Promise.all(ids.map((id) => core.put(`/person/${id}`, wanted)));
    assert.deepEqual(statusesOf(puts), [200, ...Array<number>(9).fill(409)]);
  });

  it('changes nothing when If-Match does not match', async () => {
    const at = `/person/${await core.addPerson()}`;
    const first = String((await core.get(at)).headers['etag']);
    const putIf = (ifMatch: string) => core.put(at, { Name: someName() }).set('if-match', ifMatch);
    const second = String((await putIf(first).expect(200)).headers['etag']);
    const before = (await core.get(at)).body;
    for (const stale of [first, `W/${second}`, '""', 'x', second.slice(1, -1), `W/${first}, "x"`, ''])
      for (const refused of [putIf(stale), core.remove(at).set('if-match', stale)])
        assert.equal((await refused.expect(412)).body.code, 'precondition_failed', stale);
    assert.deepEqual((await core.get(at)).body, before);
    await putIf(`"x", ${second}`).expect(200);
    await putIf('*').expect(200);
    const current = String((await core.get(at)).headers['etag']);
    const rivals = await atOnce(10, () => putIf(current));
    assert.deepEqual(statusesOf(rivals), [200, ...Array<number>(9).fill(412)]);
  });

  it('keeps the ETag when a face is reported', async () => {
    const id = await core.addPerson();
    const { headers } = await core.get(`/person/${id}`);
    await core.addFace(id);
    const changed = core.put(`/person/${id}`, { Name: someName() });
    await changed.set('if-match', String(headers['etag'])).expect(200);
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
    assert.deepEqual(fieldsOf(page.Items, 'Id'), ids.slice(0, 2));
    await core.addPerson(`later ${tag}`);
    const rest = await find(tag, `&limit=2&cursor=${page.NextCursor}`);
    assert.deepEqual(fieldsOf(rest.Items, 'Id'), ids.slice(2));
    assert.equal(rest.NextCursor, undefined);
  });
});

describe('audit and events for changes of persons', () => {
  // Without a broker, events stay in the outbox, where the test reads them.
  const core = during(() => startPersons({ AMQP_URL: 'amqp://127.0.0.1:1' }));

  it('record each change in the audit and as an event, with ids only', async () => {
    const user = await core.loggedIn('User');
    const name = someName();
    const { body } = await core.call('post', '/person', user, { Name: name, Notes: 'x' }).expect(201);
    await core.call('put', `/person/${body.Id}`, user, { Name: name, Notes: 'y' }).expect(200);
    await core.call('delete', `/person/${body.Id}`, user).expect(204);
    const { entries, text } = await readAudit(core.app, { targetId: body.Id });
    assert.deepEqual(fieldsOf(entries, 'action', 'actorId', 'details'), [
      ['person.deleted', user.id, {}],
      ['person.changed', user.id, { Fields: ['Notes'] }],
      ['person.created', user.id, {}],
    ]);
    assert.ok(!text.includes(name));
    const sql = `select type from outbox where event #>> '{data,PersonId}' = ? order by id`;
    const events = await core.sql<{ type: string }>(sql, [body.Id]);
    assert.deepEqual(fieldsOf(events, 'type'), ['person.created', 'person.updated', 'person.deleted']);
  });

  it('are atomic with the change', async () => {
    const id = await core.addPerson();
    const face = await core.addFace(id);
    const { body: before } = await core.get(`/person/${id}`);
    const name = someName();
    await whileAuditFails(core.app, async () => {
      await core.post('/person', { Name: name }).expect(500);
      await core.put(`/person/${id}`, { Name: name }).expect(500);
      await core.put(`/person/${id}/face/${face.Id}`, { FaceMatchType: 3 }).expect(500);
      await core.remove(`/person/${id}`).expect(500);
    });
    assert.deepEqual((await core.get(`/person/${id}`)).body, before);
    assert.deepEqual((await core.get(`/person?search=${encodeURIComponent(name)}`)).body.Items, []);
  });
});

describe('PERSON_ROLES', () => {
  const core = during(() => startPersons({}, undefined, { personRoles: ['Admin', 'Service'] }));

  it('limits who may manage persons, on every route', async () => {
    const user = core.bearer((await core.loggedIn('User')).Token);
    const persons = routes.filter(({ path }) => path.startsWith('/person'));
    assert.equal(persons.length, 9);
    for (const { method, path } of persons) {
      const { status, body } = await core.http[method](path.replaceAll(/:\w+/g, newId())).set(user);
      assert.deepEqual([status, body.code], [403, 'forbidden'], `${method} ${path}`);
    }
    const admin = await core.loggedIn('Admin');
    for (const token of [admin.Token, core.token])
      await core.http.get('/person').set(core.bearer(token)).expect(200);
  });

  it('accepts role names in any case and order, and nothing else', () => {
    assert.deepEqual(readPersonRoles('service, ADMIN'), ['Admin', 'Service']);
    assert.deepEqual(readPersonRoles('User,Admin,Service'), ['User', 'Admin', 'Service']);
    for (const text of ['', 'Guest', 'Admin,', 'Admin;User'])
      assert.equal(readPersonRoles(text), undefined, text);
  });
});

describe('nameKeyOf', () => {
  for (const [one = '', other = ''] of [
    ['ınci', 'inci'],
    ['İnci', 'Inci'],
    ['Ann Lee', 'Ann  Lee'],
    ['Zoe', 'Zoë'],
    ['Аnn', 'Ann'], // a Cyrillic А
  ])
    it(`distinguishes ${one} from ${other}`, () => assert.notEqual(nameKeyOf(one), nameKeyOf(other)));

  it('maps upper and lower case of every letter to one key, which maps to itself', () => {
    for (let code = 0; code < 0x1_e944; code += 1) {
      const letter = String.fromCodePoint(code);
      const key = nameKeyOf(letter);
      assert.equal(nameKeyOf(key), key, letter);
      if (letter === 'ı' || !letter.isWellFormed()) continue;
      for (const other of [letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD')])
        assert.equal(nameKeyOf(other), key, letter);
    }
  });
});

describe('readName', () => {
  it('keeps the spelling, but for spaces at its ends', () =>
    assert.deepEqual(readName(' Zoë  Lee\u00a0'), { name: 'Zoë  Lee', nameKey: 'zoë  lee' }));

  it('refuses a name of only spaces, and one that expands too much', () => {
    assert.equal(readName(' \u2003\u00a0'), undefined);
    assert.equal(readName('\ufdfa'.repeat(200)), undefined);
  });
});
