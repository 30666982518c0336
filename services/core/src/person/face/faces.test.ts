import assert from 'node:assert/strict';
import { atOnce, readAudit, statusesOf } from '@gatehouse/accounts/testing';
import { FaceMatchType } from '@gatehouse/events';
import { v7 as newId } from 'uuid';
import { startPersons } from '../../testing/persons.ts';
import { during, faceRules, problem } from '../../testing/index.ts';
import { propose, typeOf, type Candidate } from './match-rules.ts';
import { fieldsOf } from '@gatehouse/runtime/testing';

const BOX = { Left: 0, Top: 0.25, Width: 0.5, Height: 1 };

const { Automatch, ProbableMatch, Blurry } = FaceMatchType;
const candidates = (...similarities: number[]): Candidate[] =>
  similarities.map((similarity, at) => ({ personId: String(at), similarity }));

describe('the faces of a person', () => {
  const core = during(() => startPersons());
  afterEach(() => core.checkCounts());

  const report = (person: string, given: object) => core.post(`/person/${person}/face`, given);

  it('are returned as reported, and not stored if they match too little', async () => {
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
    const undecided = { DecidedBy: null, DecidedAt: null, Reason: null };
    const expected = { ...given, Id: body.Id, PersonId: id, FaceMatchType: 1, ...undecided };
    assert.deepEqual(body, { ...expected, CapturedAt: '2026-01-02T01:04:05.678Z' });
    assert.deepEqual(await core.facesOf(id, 'Automatch'), [body]);
    await report(id, { ...given, Similarity: 0.7, ImageUrl: null }).expect(200, body);
    await report(id, { SourceId: newId(), Similarity: 0.6999 }).expect(204, '');
  });

  it('are stored once for repeated and concurrent reports', async () => {
    const id = await core.addPerson();
    const given = { SourceId: newId(), Similarity: 0.8 };
    const answers = await atOnce(30, () => report(id, given));
    assert.deepEqual(statusesOf(answers), [...Array.from({ length: 29 }, () => 200), 201]);
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
    for (const type of [undefined, 1, 2, 3, 5])
      await report(id, { ...given, Similarity: 0.99, FaceMatchType: type }).expect(200, body);
  });

  it('belong to several persons only until one is confirmed', async () => {
    const [ann, bob, cid] = [await core.addPerson(), await core.addPerson(), await core.addPerson()];
    const face = await core.addFace(ann, { Similarity: 0.92 });
    const given = { SourceId: face.SourceId, Similarity: 0.95 };
    const { body } = await report(bob, given).expect(200);
    // Not before the person that it already matches.
    assert.deepEqual(fieldsOf([body], 'Id', 'PersonId', 'FaceMatchType'), [[face.Id, bob, 2]]);
    const confirmed = { ...given, FaceMatchType: 4 };
    assert.equal((await report(cid, confirmed).expect(200)).body.FaceMatchType, 4);
    for (const other of [ann, bob]) {
      assert.deepEqual(Object.values(await core.countsOf(other)), [0, 0, 0, 0, 0]);
      assert.equal((await report(other, given).expect(200)).body.PersonId, cid);
      await report(other, confirmed).expect(problem('conflict'));
    }
    assert.equal((await report(ann, { ...given, FaceMatchType: 3 }).expect(200)).body.PersonId, ann);
  });

  it('are listed by type, by number or name, newest first, paged', async () => {
    const id = await core.addPerson();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await core.addFace(id)).Id);
    for (const type of ['2', 'ProbableMatch'])
      assert.deepEqual(fieldsOf(await core.facesOf(id, type), 'Id'), ids);
    assert.deepEqual(await core.facesOf(id, 'Blurry'), []);
    const { body: page } = await core.get(`/person/${id}/2?limit=3`).expect(200);
    await core.addFace(id);
    const { body: rest } = await core.get(`/person/${id}/2?limit=3&cursor=${page.NextCursor}`).expect(200);
    assert.deepEqual(fieldsOf([...page.Items, ...rest.Items], 'Id'), ids);
    for (const bad of ['0', '6', '__proto__']) await core.get(`/person/${id}/${bad}`).expect(400);
    assert.equal((await core.get(`/person/${id}/face`).expect(405)).headers['allow'], 'OPTIONS, POST, PUT');
    await core.get(`/person/${newId()}/2`).expect(404);
  });
});

describe('reviews of faces', () => {
  const core = during(() => startPersons());
  afterEach(() => core.checkCounts());

  const review = (person: string, face: string, body: object) =>
    core.put(`/person/${person}/face/${face}`, body);
  const reviewAll = (person: string, Items: unknown) => core.put(`/person/${person}/face`, { Items });
  const addFaces = (person: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => core.addFace(person)));

  it('store who decided, when and why, and move the face to another list', async () => {
    const user = await core.loggedIn('User');
    const id = await core.addPerson();
    const face = await core.addFace(id);
    const at = `/person/${id}/face/${face.Id}`;
    const refused = { FaceMatchType: 'NotMatch', Reason: 'another nose' };
    const { body } = await core.call('put', at, user, refused).expect(200);
    const decided = { DecidedBy: user.id, DecidedAt: body.DecidedAt, Reason: 'another nose' };
    assert.deepEqual(body, { ...face, FaceMatchType: 3, ...decided });
    await core.put(at, { FaceMatchType: 4 }).expect(200);
    assert.equal((await core.facesOf(id, 4))[0]?.Id, face.Id);
    assert.deepEqual(await core.facesOf(id, 2), []);
    const sql = `select previous_type, type, reason, decided_by, decided_at is not null as dated
       from face_review where face_id = ? order by id`;
    const kept = await core.sql(sql, [face.Id]);
    assert.deepEqual(kept, [
      { previous_type: 2, type: 3, reason: 'another nose', decided_by: user.id, dated: true },
      { previous_type: 3, type: 4, reason: null, decided_by: core.tokenId, dated: true },
    ]);
    const { entries, text } = await readAudit(core.app, { targetId: face.Id });
    assert.deepEqual(fieldsOf(entries, 'action', 'actorId', 'details'), [
      ['face.reviewed', core.tokenId, { PersonId: id, PreviousFaceMatchType: 3, FaceMatchType: 4 }],
      ['face.reviewed', user.id, { PersonId: id, PreviousFaceMatchType: 2, FaceMatchType: 3 }],
    ]);
    assert.ok(!text.includes('another nose'));
  });

  it('keep the counts correct with two hundred concurrent ones', async () => {
    const id = await core.addPerson();
    const faces = await addFaces(id, 20);
    const items = (type: number) => faces.toReversed().map(({ Id }) => ({ FaceId: Id, FaceMatchType: type }));
    const call = (at: number) =>
      at % 10 === 9
        ? reviewAll(id, items((at % 5) + 1))
        : review(id, faces[at % 20]?.Id ?? '', { FaceMatchType: ((at * 7) % 5) + 1 });
    /** Retries after a 503, which is the only failure allowed on a slow machine. */
    const insist = async (at: number): Promise<number> => {
      const { status } = await call(at);
      return status === 503 ? insist(at) : status;
    };
    const statuses = await Promise.all(Array.from({ length: 200 }, (_, at) => insist(at)));
    assert.deepEqual(new Set(statuses), new Set([200]));
    const sum = Object.values(await core.countsOf(id)).reduce((total, count) => total + count, 0);
    assert.equal(sum, 20);
  });

  it('confirm a face for at most one person with concurrent requests', async () => {
    const persons = await atOnce(5, () => core.addPerson());
    const [first = '', ...others] = persons;
    const face = await core.addFace(first, { Similarity: 0.8 });
    for (const other of others)
      await core.post(`/person/${other}/face`, { SourceId: face.SourceId, Similarity: 0.8 }).expect(200);
    const answers = await Promise.all(persons.map((id) => review(id, face.Id, { FaceMatchType: 4 })));
    const [won, ...lost] = statusesOf(answers);
    // The face is no longer proposed for other persons.
    assert.ok(won === 200 && lost.every((status) => status === 404 || status === 409), lost.join());
    const rows = await core.sql('select type from face_match where face_id = ?', [face.Id]);
    assert.deepEqual(rows, [{ type: 4 }]);
    const another = 'insert into face_match (face_id, person_id, type, similarity) values (?, ?, 4, 1)';
    await assert.rejects(core.sql(another, [face.Id, newId()]), /face_match_one_confirmed/);
  });

  it('of many faces are applied in order, all or none', async () => {
    const [id, other] = [await core.addPerson(), await core.addPerson()];
    const faces = (await addFaces(id, 4)).map(({ Id }) => Id);
    const foreign = await core.addFace(other);
    const items = faces.map((FaceId, at) => ({ FaceId, FaceMatchType: at === 1 ? 'NotMatch' : 4 }));
    const { body } = await reviewAll(id, items).expect(200);
    const types = faces.map((Id, at) => [Id, at === 1 ? 3 : 4]);
    assert.deepEqual(fieldsOf(body.Items, 'Id', 'FaceMatchType'), types);
    const [first = '', second = ''] = faces;
    const [rejected] = await core.facesOf(id, 3);
    const confirmed = { SourceId: rejected?.SourceId, Similarity: 1, FaceMatchType: 4 };
    await core.post(`/person/${other}/face`, confirmed);
    const counts = await core.countsOf(id);
    const one = { FaceId: first, FaceMatchType: 5 };
    for (const [bad, status, pointers] of [
      [[one, { FaceId: foreign.Id, FaceMatchType: 4 }], 404, ['/Items/1/FaceId']],
      [[one, { FaceId: second, FaceMatchType: 4 }], 409, ['/Items/1/FaceId']],
      [[one, { ...one, FaceId: first.toUpperCase() }], 400, ['/Items/1/FaceId']],
      [Array.from({ length: 501 }, () => ({ FaceId: newId(), FaceMatchType: 1 })), 400, ['/Items']],
    ] as const) {
      const answer = await reviewAll(id, bad).expect(status);
      assert.deepEqual(fieldsOf(answer.body.errors, 'pointer'), pointers);
    }
    assert.deepEqual(await core.countsOf(id), counts);
  });
});

describe('the rules for faces', () => {
  for (const [sharpness, similarity, second, type] of [
    [0.299, 1, undefined, Blurry],
    [0.3, 0.9, undefined, Automatch],
    [null, 0.95, 0.9, Automatch],
    [null, 0.95, 0.9001, ProbableMatch],
    [null, 0.899, undefined, ProbableMatch],
    [null, 0.7, 0.7, ProbableMatch],
    [null, 0.699, undefined, undefined],
    [0, 0, undefined, Blurry],
  ] as const) {
    const what = Object.entries(FaceMatchType).find(([, one]) => one === type)?.[0] ?? 'nothing';
    it(`make ${what} of sharpness ${sharpness}, similarity ${similarity}, second ${second}`, () =>
      assert.equal(typeOf(faceRules, { sharpness, similarity, second }), type));
  }

  it('hold at the exact thresholds despite floating-point rounding', () => {
    for (let hundredth = 90; hundredth <= 100; hundredth += 1) {
      const face = { sharpness: null, similarity: hundredth / 100, second: (hundredth - 5) / 100 };
      assert.equal(typeOf(faceRules, face), Automatch, String(hundredth));
    }
  });

  it('select the most similar candidate, and the first of several with equal similarity', () => {
    const most = propose(faceRules, null, candidates(0.1, 0.95, 0.3));
    assert.deepEqual(most, { personId: '1', similarity: 0.95, type: Automatch });
    const first = propose(faceRules, null, candidates(0.95, 0.95));
    assert.deepEqual([first?.personId, first?.type], ['0', ProbableMatch]);
    for (const none of [propose(faceRules, 0, []), propose(faceRules, null, candidates(0.5))])
      assert.equal(none, undefined);
  });
});
