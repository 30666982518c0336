import assert from 'node:assert/strict';
import { readTables } from '@gatehouse/accounts/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { readFace } from './face/face.ts';
import { FACES_AT_ONCE, purgeFaces } from './purge.ts';
import { reportFace } from './report/take-reports.ts';
import { during, faceRules } from '../testing/index.ts';
import { someName, startPersons } from '../testing/persons.ts';

describe('a person who is deleted', () => {
  // Without a broker, events stay in the outbox, which would retain their content.
  const core = during(() => startPersons({ AMQP_URL: 'amqp://127.0.0.1:1' }));
  afterEach(() => core.checkCounts());

  /** Every row of every table, including the outbox. */
  const everything = async (): Promise<string> => {
    const tables = Object.values(await readTables(core.app)).flat();
    const outbox = await core.sql<{ text: string }>('select o::text as text from outbox o');
    return [...tables, ...outbox.map(({ text }) => text)].join('\n').toLowerCase();
  };

  it('leaves no data about them', async () => {
    const given = { Name: `name ${newId()}`, Notes: `notes ${newId()}`, ExternalId: `external ${newId()}` };
    const seen = { SourceId: `source ${newId()}`, ImageUrl: `https://images.example/${newId()}` };
    const Reason = `reason ${newId()}`;
    const words = [given, seen, { Reason }].flatMap((fields) => Object.values(fields));
    const { body } = await core.post('/person', given).expect(201);
    await core.put(`/person/${body.Id}`, { ...given, ExternalId: `${given.ExternalId}!` }).expect(200);
    const face = await core.addFace(body.Id, seen);
    await core.put(`/person/${body.Id}/face/${face.Id}`, { FaceMatchType: 4, Reason }).expect(200);
    await core.get(`/person?search=${encodeURIComponent(given.Name)}`).expect(200);
    const kept = await everything();
    for (const word of words) assert.ok(kept.includes(word), word);
    await core.remove(`/person/${body.Id}`).expect(204);
    const left = (await everything()) + JSON.stringify(core.app.lines).toLowerCase();
    for (const word of words) assert.ok(!left.includes(word), word);
    assert.deepEqual(await core.sql('select 1 from face_review'), []);
  });

  it('keeps rejections by others, without the confirmed faces', async () => {
    const [ann, bob] = [await core.addPerson(), await core.addPerson()];
    const image = `https://images.example/${newId()}`;
    const face = await core.addFace(ann, { ImageUrl: image, Sharpness: 0.9 });
    await core.put(`/person/${ann}/face/${face.Id}`, { FaceMatchType: 3 }).expect(200);
    const ofBob = { SourceId: face.SourceId, Similarity: 0, FaceMatchType: 4 };
    await core.post(`/person/${bob}/face`, ofBob).expect(200);
    await core.remove(`/person/${bob}`).expect(204);
    const [left] = await core.facesOf(ann, 3);
    assert.deepEqual({ ...left, ImageUrl: null, Sharpness: null }, left);
    assert.ok(!(await everything()).includes(image));
    const again = { SourceId: face.SourceId, Similarity: 1 };
    assert.equal((await core.post(`/person/${ann}/face`, again).expect(200)).body.FaceMatchType, 3);
    await core.remove(`/person/${ann}`).expect(204);
    assert.ok(!(await everything()).includes(face.SourceId));
  });

  /** Adds so many faces that some are left when the person is deleted. */
  const addMany = async (id: string, type: 2 | 4): Promise<void> => {
    const sql = `with f as (insert into face (id, source_id, image_url)
                  select gen_random_uuid(), gen_random_uuid(), 'https://images.example/left'
                  from generate_series(1, ?::int) returning id)
       insert into face_match (face_id, person_id, type, similarity) select id, ?, ?, 0.8 from f`;
    await core.sql(sql, [2 * FACES_AT_ONCE, id, type]);
    const column = type === 2 ? 'probable_match' : 'confirmed_match';
    await core.sql(`update person set ${column} = ? where id = ?`, [2 * FACES_AT_ONCE, id]);
  };

  it('does not block others with faces that are yet to be deleted', async () => {
    for (const type of [2, 4] as const) {
      const name = someName();
      const [ann, bob] = [await core.addPerson(name), await core.addPerson()];
      await addMany(ann, type);
      await core.remove(`/person/${ann}`).expect(204);
      const [one, two, three, four] = await core.sql<{ id: string; source: string }>(
        `select f.id, f.source_id as source from face_match m join face f on f.id = m.face_id
         where m.person_id = ? limit 4`,
        [ann],
      );
      assert.ok(one && two && three && four);
      const ofBob = (source: string, more: object = {}) =>
        core.post(`/person/${bob}/face`, { SourceId: source, Similarity: 0.95, ...more });
      const { body } = await ofBob(one.source).expect(201);
      assert.deepEqual([body.PersonId, body.FaceMatchType, body.ImageUrl], [bob, 1, null]);
      await ofBob(two.source, { FaceMatchType: 4 }).expect(201);
      const again = await core.addPerson(name);
      const face = readFace({ SourceId: three.source });
      const report = { face, candidates: [{ Name: name, Similarity: 0.95 }] };
      assert.equal(await reportFace({ ...core.app.service, faceRules }, report, NO_DEADLINE), 1);
      assert.equal((await core.countsOf(again)).Automatch, 1);
      // Simulates that the face was matched to Bob too.
      const match = 'insert into face_match (face_id, person_id, type, similarity) values (?, ?, 3, 0.5)';
      await core.sql(match, [four.id, bob]);
      await core.sql('update person set not_match = 1 where id = ?', [bob]);
      await core.put(`/person/${bob}/face/${four.id}`, { FaceMatchType: 4 }).expect(200);
      await purgeFaces(core.app.service, () => false);
      assert.deepEqual(Object.values(await core.countsOf(bob)), [1, 0, 0, 2, 0]);
      assert.ok(!(await everything()).includes('images.example/left') || type === 2);
      await core.remove(`/person/${bob}`).expect(204);
      await core.remove(`/person/${again}`).expect(204);
    }
  });

  it('can be changed and deleted while faces keep arriving', async () => {
    const id = await core.addPerson();
    let isOver = false;
    const keepReporting = async (): Promise<void> => {
      while (!isOver) await core.post(`/person/${id}/face`, { SourceId: newId(), Similarity: 0.8 });
    };
    const flood = Array.from({ length: 20 }, keepReporting);
    await eventually(async () => (await core.countsOf(id)).ProbableMatch > 20);
    try {
      await core.put(`/person/${id}`, { Name: someName() }).expect(200);
      await core.remove(`/person/${id}`).expect(204);
    } finally {
      isOver = true;
      await Promise.all(flood);
    }
  });

  it('is deleted at once, with any number of faces, which are deleted soon after', async () => {
    const [id, other] = [await core.addPerson(), await core.addPerson()];
    await core.addFace(other);
    await addMany(id, 2);
    await core.remove(`/person/${id}`).expect(204);
    await core.get(`/person/${id}/2`).expect(404);
    const purge = () => purgeFaces(core.app.service, () => false);
    await Promise.all([purge(), purge()]);
    await purge();
    for (const [table, left] of Object.entries({ face_match: 1, face: 1, person_purge: 0 }))
      assert.equal((await core.sql(`select 1 from ${table}`)).length, left, table);
  });

  it('does not affect faces that are reported and reviewed meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [ann, bob] = [await core.addPerson(), await core.addPerson()];
      const faces = await Promise.all(Array.from({ length: 5 }, () => core.addFace(ann)));
      const calls = faces.flatMap(({ Id, SourceId }) => [
        core.post(`/person/${bob}/face`, { SourceId, Similarity: 0.8 }),
        core.put(`/person/${ann}/face/${Id}`, { FaceMatchType: 4 }),
        core.post(`/person/${ann}/face`, { SourceId: newId(), Similarity: 0.8 }),
        core.put(`/person/${bob}/face/${Id}`, { FaceMatchType: 4 }),
      ]);
      const rename = core.put(`/person/${ann}`, { Name: newId() });
      const answers = await Promise.all([...calls, rename, core.remove(`/person/${ann}`)]);
      for (const { status, body } of answers)
        assert.ok([200, 201, 204, 404, 409, 503].includes(status), JSON.stringify(body));
      await core.remove(`/person/${ann}`);
      const sql = `select face_id from face_match m where not exists (select 1 from person p where p.id = m.person_id)
         union all
         select id from face f where not exists (select 1 from face_match m where m.face_id = f.id)`;
      const orphans = await core.sql(sql);
      assert.deepEqual(orphans, []);
      await core.checkCounts();
      const deadlocks = JSON.stringify(core.app.lines).includes('40P01');
      assert.ok(!deadlocks);
    }
  });
});
