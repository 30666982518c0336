import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { startPersons, type TestPersons } from '../../testing/persons.ts';

const BOX = { Left: 0, Top: 0.25, Width: 0.5, Height: 1 };

describe('the faces of a person', () => {
  let core: TestPersons;
  before(async () => {
    core = await startPersons();
  });
  after(() => core.stop());
  afterEach(() => core.checkCounts());

  const report = (person: string, given: object) => core.post(`/person/${person}/face`, given);

  it('are classified by similarity and sharpness', async () => {
    const id = await core.addPerson();
    for (const [given, type] of [
      [{ Similarity: 0.9, Sharpness: 0.3 }, 1],
      [{ Similarity: 1 }, 1],
      [{ Similarity: 0.8999, Sharpness: 1 }, 2],
      [{ Similarity: 0.7, Sharpness: null }, 2],
      [{ Similarity: 0.99, Sharpness: 0.2999 }, 5],
      [{ Similarity: 0, Sharpness: 0 }, 5],
    ] as const) {
      const { body } = await report(id, { SourceId: newId(), ...given }).expect(201);
      assert.equal(body.FaceMatchType, type, JSON.stringify(given));
      assert.equal(body.DecidedBy, null);
      assert.equal(body.DecidedAt, null);
    }
    await report(id, { SourceId: newId(), Similarity: 0.6999 }).expect(204, '');
    assert.deepEqual(await core.countsOf(id), {
      Automatch: 2,
      ProbableMatch: 2,
      NotMatch: 0,
      ConfirmedMatch: 0,
      Blurry: 2,
    });
  });

  it('are returned as reported', async () => {
    const id = await core.addPerson();
    const given = {
      SourceId: newId(),
      Similarity: 0.95,
      Sharpness: 0.5,
      ImageUrl: 'https://images.example/a%20b.jpg?x=1',
      BoundingBox: BOX,
      CapturedAt: '2026-01-02T03:04:05.678+02:00',
    };
    const { body } = await report(id, given).expect(201);
    assert.deepEqual(body, {
      ...given,
      Id: body.Id,
      PersonId: id,
      FaceMatchType: 1,
      CapturedAt: '2026-01-02T01:04:05.678Z',
      DecidedBy: null,
      DecidedAt: null,
      Reason: null,
    });
    assert.deepEqual(await core.facesOf(id, 'Automatch'), [body]);
    await report(id, { ...given, Similarity: 0.7, ImageUrl: null }).expect(200, body);
  });

  it('are stored once for repeated and concurrent reports', async () => {
    const id = await core.addPerson();
    const given = { SourceId: newId(), Similarity: 0.8 };
    const answers = await Promise.all(Array.from({ length: 30 }, () => report(id, given)));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [...Array.from({ length: 29 }, () => 200), 201],
    );
    assert.equal(new Set(answers.map(({ body }) => body.Id)).size, 1);
    assert.equal((await core.countsOf(id)).ProbableMatch, 1);
  });

  it('may be classified by the reporter, which no later report changes', async () => {
    const user = await core.loggedIn('User');
    const id = await core.addPerson();
    const given = { SourceId: newId(), Similarity: 0.1, FaceMatchType: 'confirmedmatch' };
    const { body } = await core.call('post', `/person/${id}/face`, user, given).expect(201);
    assert.equal(body.FaceMatchType, 4);
    assert.equal(body.DecidedBy, user.id);
    assert.ok(body.DecidedAt);
    for (const type of [undefined, 1, 2, 3, 5]) {
      await report(id, { ...given, Similarity: 0.99, FaceMatchType: type }).expect(200, body);
    }
  });

  it('belong to several persons only until one is confirmed', async () => {
    const [ann, bob, cid] = [await core.addPerson(), await core.addPerson(), await core.addPerson()];
    const face = await core.addFace(ann, { Similarity: 0.92 });
    const given = { SourceId: face.SourceId, Similarity: 0.95 };
    const { body } = await report(bob, given).expect(200);
    assert.equal(body.Id, face.Id);
    assert.equal(body.PersonId, bob);
    // Not before the person that it already matches.
    assert.equal(body.FaceMatchType, 2);
    assert.equal((await report(cid, { ...given, FaceMatchType: 4 }).expect(200)).body.FaceMatchType, 4);
    for (const other of [ann, bob]) {
      assert.deepEqual(Object.values(await core.countsOf(other)), [0, 0, 0, 0, 0]);
      assert.equal((await report(other, given).expect(200)).body.PersonId, cid);
      assert.equal((await report(other, { ...given, FaceMatchType: 4 }).expect(409)).body.code, 'conflict');
    }
    assert.equal((await report(ann, { ...given, FaceMatchType: 3 }).expect(200)).body.PersonId, ann);
  });

  it('are matched automatically to one person at most', async () => {
    const [ann, bob, cid] = [await core.addPerson(), await core.addPerson(), await core.addPerson()];
    const { SourceId } = await core.addFace(ann, { Similarity: 0.9 });
    for (const [other, type] of [
      [bob, 2],
      [cid, 2],
      [ann, 1],
    ] as const) {
      const { body } = await report(other, { SourceId, Similarity: 1 }).expect(200);
      assert.equal(body.FaceMatchType, type);
    }
  });

  it('are listed by type, by number or name, newest first, paged', async () => {
    const id = await core.addPerson();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await core.addFace(id)).Id);
    for (const type of ['2', 'ProbableMatch', 'probablematch', 'PROBABLEMATCH']) {
      const found = await core.facesOf(id, type);
      assert.deepEqual(
        found.map(({ Id }) => Id),
        ids,
      );
    }
    assert.deepEqual(await core.facesOf(id, 'Blurry'), []);
    const { body: page } = await core.get(`/person/${id}/2?limit=3`).expect(200);
    await core.addFace(id);
    const { body: rest } = await core.get(`/person/${id}/2?limit=3&cursor=${page.NextCursor}`).expect(200);
    const seen = [...page.Items, ...rest.Items].map(({ Id }: { Id: string }) => Id);
    assert.deepEqual(seen, ids);
    for (const bad of ['0', '6', '-1', '1.0', 'x', 'NotMatch%20', '__proto__', 'constructor']) {
      await core.get(`/person/${id}/${bad}`).expect(400);
    }
    const elsewhere = await core.get(`/person/${id}/face`).expect(405);
    assert.equal(elsewhere.headers['allow'], 'OPTIONS, POST, PUT');
    await core.get(`/person/${id}/2?cursor=x`).expect(400);
    await core.get(`/person/${newId()}/2`).expect(404);
  });

  it('are refused if invalid, naming the field', async () => {
    const id = await core.addPerson();
    const good = { SourceId: newId(), Similarity: 0.8 };
    for (const [given, pointer] of [
      [{ Similarity: 1 }, '/SourceId'],
      [{ ...good, Similarity: 1.01 }, '/Similarity'],
      [{ ...good, Similarity: -0.01 }, '/Similarity'],
      [{ ...good, Sharpness: 2 }, '/Sharpness'],
      [{ ...good, ImageUrl: 'javascript:alert(1)' }, '/ImageUrl'],
      [{ ...good, ImageUrl: 'https://a b' }, '/ImageUrl'],
      [{ ...good, BoundingBox: { ...BOX, Left: 1.1 } }, '/BoundingBox/Left'],
      [{ ...good, BoundingBox: { Left: 0, Top: 0, Width: 0 } }, '/BoundingBox/Height'],
      [{ ...good, CapturedAt: '2026-02-30T00:00:00Z' }, '/CapturedAt'],
      [{ ...good, CapturedAt: '2016-12-31T23:59:60Z' }, '/CapturedAt'],
      [{ ...good, CapturedAt: '9999-12-31T23:59:59-01:00' }, '/CapturedAt'],
      [{ ...good, CapturedAt: '0000-01-01T00:00:00+01:00' }, '/CapturedAt'],
      [{ ...good, FaceMatchType: 6 }, '/FaceMatchType'],
    ] as const) {
      const { body } = await report(id, given).expect(400);
      assert.equal(body.errors[0].pointer, pointer, JSON.stringify(given));
    }
    for (const moment of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z']) {
      await report(id, { SourceId: newId(), Similarity: 0.8, CapturedAt: moment }).expect(201);
    }
    await report(newId(), good).expect(404);
    await report('x', good).expect(400);
  });
});
