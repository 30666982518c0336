import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startReports, type TestReports } from '../../testing/reports.ts';

describe('reports of faces over the queue', () => {
  let app: TestReports;
  before(async () => {
    app = await startReports();
  });
  after(() => app.stop());
  afterEach(() => app.core.checkCounts());

  const facesOf = async (source: string) =>
    await query<{ person: string; type: number }>(
      app.core.app.db,
      `select m.person_id as person, m.type from face f join face_match m on m.face_id = f.id
       where f.source_id = ?`,
      [source],
    );

  it('are stored for the most similar person, by id or by name', async () => {
    const name = `Zoë ${newId()}`;
    const [ann, zoe] = [await app.core.addPerson(), await app.core.addPerson(name)];
    for (const [candidates, kept] of [
      [[{ PersonId: ann, Similarity: 0.95 }], [{ person: ann, type: 1 }]],
      [[{ PersonId: ann.toUpperCase(), Similarity: 0.95 }], [{ person: ann, type: 1 }]],
      [
        [
          { Name: ` ${name.toUpperCase()}`, Similarity: 0.9 },
          { PersonId: ann, Similarity: 0.85 },
        ],
        [{ person: zoe, type: 1 }],
      ],
      [
        [
          { PersonId: ann, Similarity: 0.86 },
          { PersonId: zoe, Similarity: 0.9 },
        ],
        [{ person: zoe, type: 2 }],
      ],
      [
        [
          { PersonId: ann, Similarity: 0.7 },
          { PersonId: zoe, Similarity: 0.1 },
        ],
        [{ person: ann, type: 2 }],
      ],
      // The same person twice does not make a match ambiguous.
      [
        [
          { Name: name, Similarity: 0.92 },
          { PersonId: zoe, Similarity: 0.93 },
        ],
        [{ person: zoe, type: 1 }],
      ],
      [
        [
          { PersonId: newId(), Similarity: 1 },
          { PersonId: ann, Similarity: 0.91 },
        ],
        [{ person: ann, type: 1 }],
      ],
      [[{ PersonId: ann, Similarity: 0.69 }], []],
      [
        [
          { PersonId: newId(), Similarity: 1 },
          { Name: 'nobody', Similarity: 1 },
        ],
        [],
      ],
      [[], []],
    ] as const) {
      const report = app.reportOf(...candidates);
      await app.send(report);
      await app.settled();
      assert.deepEqual(await facesOf(report.SourceId), kept, JSON.stringify(candidates));
    }
    const blurry = { ...app.reportOf({ PersonId: ann, Similarity: 0.99 }), Sharpness: 0.1 };
    await app.send(blurry);
    await app.settled();
    assert.deepEqual(await facesOf(blurry.SourceId), [{ person: ann, type: 5 }]);
  });

  it('store all details of the face', async () => {
    const ann = await app.core.addPerson();
    const said = {
      Sharpness: 0.75,
      ImageUrl: 'https://images.example/1.jpg',
      BoundingBox: { Left: 0.1, Top: 0.2, Width: 0.3, Height: 0.4 },
      CapturedAt: '2026-01-02T03:04:05.678Z',
    };
    await app.send({ ...app.reportOf({ PersonId: ann, Similarity: 0.8 }), ...said });
    await app.settled();
    const [face] = await app.core.facesOf(ann, 2);
    assert.deepEqual({ ...face, ...said }, face);
  });

  it('change no decision and restore nothing when the matcher runs ten times more', async () => {
    const [ann, bob] = [await app.core.addPerson(), await app.core.addPerson()];
    const reports = Array.from({ length: 5 }, () =>
      app.reportOf({ PersonId: ann, Similarity: 0.95 }, { PersonId: bob, Similarity: 0.8 }),
    );
    for (const report of reports) await app.send(report);
    await app.settled();
    const ids = (await app.core.facesOf(ann, 1)).toReversed().map(({ Id }) => Id);
    assert.equal(ids.length, 5);
    const [one, two, three] = ids;
    await app.core.put(`/person/${ann}/face`, {
      Items: [
        { FaceId: one, FaceMatchType: 'NotMatch' },
        { FaceId: two, FaceMatchType: 'ConfirmedMatch' },
        { FaceId: three, FaceMatchType: 'Blurry' },
      ],
    });
    for (let run = 0; run < 10; run += 1) for (const report of reports) await app.send(report);
    await app.settled();
    assert.deepEqual(Object.values(await app.core.countsOf(ann)), [2, 0, 1, 1, 1]);
    // After the best match was rejected, the next one is proposed.
    assert.deepEqual(
      (await app.core.facesOf(bob, 2)).map(({ Id }) => Id),
      [one],
    );
    await app.core.put(`/person/${bob}/face/${one}`, { FaceMatchType: 3 }).expect(200);
    for (const report of reports) await app.send(report);
    await app.settled();
    assert.deepEqual(Object.values(await app.core.countsOf(ann)), [2, 0, 1, 1, 1]);
    assert.deepEqual(Object.values(await app.core.countsOf(bob)), [0, 0, 1, 0, 0]);
  });

  it('are stored once when repeated concurrently', async () => {
    const ann = await app.core.addPerson();
    const report = app.reportOf({ PersonId: ann, Similarity: 0.8 });
    await Promise.all([
      ...Array.from({ length: 20 }, () => app.send(report)),
      ...Array.from({ length: 5 }, () =>
        app.core.post(`/person/${ann}/face`, { SourceId: report.SourceId, Similarity: 0.95 }),
      ),
    ]);
    await app.settled();
    assert.equal((await facesOf(report.SourceId)).length, 1);
  });
});
