import assert from 'node:assert/strict';
import { readAudit } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startPersons, type TestPersons } from '../../testing/persons.ts';

describe('reviews of faces', () => {
  let core: TestPersons;
  before(async () => {
    core = await startPersons();
  });
  after(() => core.stop());
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
    assert.deepEqual(
      { ...face, FaceMatchType: 3, DecidedBy: user.id, DecidedAt: body.DecidedAt, Reason: 'another nose' },
      body,
    );
    await core.call(
      'put',
      at.toUpperCase().replace('/PERSON', '/person').replace('/FACE', '/face'),
      core.token,
      {
        FaceMatchType: 4,
      },
    );
    assert.equal((await core.facesOf(id, 4))[0]?.Id, face.Id);
    assert.deepEqual(await core.facesOf(id, 2), []);
    const kept = await query(
      core.app.db,
      `select previous_type, type, reason, decided_by, decided_at is not null as dated
       from face_review where face_id = ? order by id`,
      [face.Id],
    );
    assert.deepEqual(kept, [
      { previous_type: 2, type: 3, reason: 'another nose', decided_by: user.id, dated: true },
      { previous_type: 3, type: 4, reason: null, decided_by: core.tokenId, dated: true },
    ]);
    const { entries, text } = await readAudit(core.app, { targetId: face.Id });
    assert.deepEqual(
      entries.map(({ action, actorId, details }) => [action, actorId, details]),
      [
        ['face.reviewed', core.tokenId, { PersonId: id, PreviousFaceMatchType: 3, FaceMatchType: 4 }],
        ['face.reviewed', user.id, { PersonId: id, PreviousFaceMatchType: 2, FaceMatchType: 3 }],
      ],
    );
    assert.ok(!text.includes('another nose'));
  });

  it('can set any type, and revert it', async () => {
    const id = await core.addPerson();
    const face = await core.addFace(id);
    for (const type of [1, 2, 3, 4, 5, 5, 2]) {
      const { body } = await review(id, face.Id, { FaceMatchType: type }).expect(200);
      assert.equal(body.FaceMatchType, type);
      assert.equal(body.DecidedBy, core.tokenId);
    }
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
    const persons = await Promise.all(Array.from({ length: 5 }, () => core.addPerson()));
    const [first = '', ...others] = persons;
    const face = await core.addFace(first, { Similarity: 0.8 });
    for (const other of others) {
      await core.post(`/person/${other}/face`, { SourceId: face.SourceId, Similarity: 0.8 }).expect(200);
    }
    const answers = await Promise.all(persons.map((id) => review(id, face.Id, { FaceMatchType: 4 })));
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1);
    // The face is no longer proposed for other persons.
    assert.equal(statuses.filter((status) => status === 404 || status === 409).length, 4);
    const rows = await query(core.app.db, 'select type from face_match where face_id = ?', [face.Id]);
    assert.deepEqual(rows, [{ type: 4 }]);
    await assert.rejects(
      query(
        core.app.db,
        'insert into face_match (face_id, person_id, type, similarity) values (?, ?, 4, 1)',
        [face.Id, newId()],
      ),
      /face_match_one_confirmed/,
    );
  });

  it('refuse to confirm a face that is confirmed for another person, until that is reverted', async () => {
    const [ann, bob] = [await core.addPerson(), await core.addPerson()];
    const face = await core.addFace(ann);
    await core
      .post(`/person/${bob}/face`, { SourceId: face.SourceId, Similarity: 0, FaceMatchType: 3 })
      .expect(200);
    await review(ann, face.Id, { FaceMatchType: 4 }).expect(200);
    assert.equal((await review(bob, face.Id, { FaceMatchType: 4 }).expect(409)).body.code, 'conflict');
    await review(ann, face.Id, { FaceMatchType: 3 }).expect(200);
    await review(bob, face.Id, { FaceMatchType: 4 }).expect(200);
  });

  it('of many faces are applied in order, all or none', async () => {
    const [id, other] = [await core.addPerson(), await core.addPerson()];
    const faces = (await addFaces(id, 4)).map(({ Id }) => Id);
    const foreign = await core.addFace(other);
    const items = faces.map((FaceId, at) => ({ FaceId, FaceMatchType: at === 1 ? 'NotMatch' : 4 }));
    const { body } = await reviewAll(id, items).expect(200);
    assert.deepEqual(
      body.Items.map((face: { Id: string; FaceMatchType: number }) => [face.Id, face.FaceMatchType]),
      faces.map((Id, at) => [Id, at === 1 ? 3 : 4]),
    );
    const [first = '', second = ''] = faces;
    await core.post(`/person/${other}/face`, {
      SourceId: (await core.facesOf(id, 3))[0]?.SourceId,
      Similarity: 1,
      FaceMatchType: 4,
    });
    const counts = await core.countsOf(id);
    const one = { FaceId: first, FaceMatchType: 5 };
    for (const [bad, status, pointers] of [
      [[one, { FaceId: foreign.Id, FaceMatchType: 4 }], 404, ['/Items/1/FaceId']],
      [[{ FaceId: newId(), FaceMatchType: 4 }, one, { FaceId: newId(), FaceMatchType: 4 }], 404, [0, 2]],
      [[one, { FaceId: second, FaceMatchType: 4 }], 409, ['/Items/1/FaceId']],
      [[one, one], 400, ['/Items/1/FaceId']],
      [[one, { ...one, FaceId: first.toUpperCase() }], 400, ['/Items/1/FaceId']],
      [[one, { FaceId: second, FaceMatchType: 9 }], 400, ['/Items/1/FaceMatchType']],
      [[one, { FaceId: second, FaceMatchType: 3, Reason: 'a\u0000' }], 400, ['/Items/1/Reason']],
      [[one, { FaceId: 'x', FaceMatchType: 3 }], 400, ['/Items/1/FaceId']],
      [[one, null], 400, ['/Items/1']],
      [[], 400, ['/Items']],
      [{}, 400, ['/Items']],
      [Array.from({ length: 501 }, () => ({ FaceId: newId(), FaceMatchType: 1 })), 400, ['/Items']],
    ] as const) {
      const answer = await reviewAll(id, bad).expect(status);
      assert.deepEqual(
        answer.body.errors.map((error: { pointer: string }) => error.pointer),
        pointers.map((pointer) => (typeof pointer === 'number' ? `/Items/${pointer}/FaceId` : pointer)),
      );
    }
    assert.deepEqual(await core.countsOf(id), counts);
  });

  it('accept five hundred faces', async () => {
    const id = await core.addPerson();
    const faces = await addFaces(id, 40);
    await query(
      core.app.db,
      `with f as (insert into face (id, source_id) select gen_random_uuid(), 'bulk ' || n from generate_series(1, 460) n
                  returning id),
            m as (insert into face_match (face_id, person_id, type, similarity) select id, ?, 2, 0.8 from f
                  returning 1)
       update person set probable_match = probable_match + (select count(*) from m) where id = ?`,
      [id, id],
    );
    const rows = await query<{ id: string }>(
      core.app.db,
      'select face_id as id from face_match where person_id = ?',
      [id],
    );
    assert.equal(rows.length, 500);
    assert.equal(faces.length, 40);
    const items = rows.map((row) => ({ FaceId: row.id, FaceMatchType: 4 }));
    assert.equal((await reviewAll(id, items).expect(200)).body.Items.length, 500);
    assert.equal((await core.countsOf(id)).ConfirmedMatch, 500);
  });

  it('are refused if invalid', async () => {
    const [id, other] = [await core.addPerson(), await core.addPerson()];
    const { Id: face } = await core.addFace(id);
    for (const bad of [{}, { FaceMatchType: 0 }, { FaceMatchType: 'x' }, { FaceMatchType: null }]) {
      await review(id, face, bad).expect(400);
    }
    await review(id, face, { FaceMatchType: 3, Reason: 'x'.repeat(501) }).expect(400);
    for (const [person, faceId, status] of [
      [id, newId(), 404],
      [other, face, 404],
      [newId(), face, 404],
      ['x', face, 400],
      [id, 'x', 400],
    ] as const) {
      await review(person, faceId, { FaceMatchType: 4 }).expect(status);
    }
  });
});
