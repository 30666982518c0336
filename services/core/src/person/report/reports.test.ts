import assert from 'node:assert/strict';
import { createFaceReporter, type FaceReport } from '@gatehouse/events';
import { testBroker } from '@gatehouse/events/testing';
import { createMetrics, type Lifecycle } from '@gatehouse/runtime';
import { eventually, fieldsOf, Proxy, testLog } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { during, faceRules } from '../../testing/index.ts';
import { startPersons } from '../../testing/persons.ts';
import { takeReports } from './take-reports.ts';

describe('reports of faces over the queue', () => {
  const app = during(() => startReports());
  afterEach(() => app.core.checkCounts());

  const facesOf = async (source: string) => {
    const sql = `select m.person_id as person, m.type from face f join face_match m on m.face_id = f.id
       where f.source_id = ?`;
    return await app.core.sql<{ person: string; type: number }>(sql, [source]);
  };

  it('are stored for the most similar person, by id or by name', async () => {
    const name = `Zoë ${newId()}`;
    const [ann, zoe] = [await app.core.addPerson(), await app.core.addPerson(name)];
    const byId = (PersonId: string, Similarity: number) => ({ PersonId, Similarity });
    const byName = (Name: string, Similarity: number) => ({ Name, Similarity });
    for (const [candidates, kept, more] of [
      [[byId(ann.toUpperCase(), 0.95)], [{ person: ann, type: 1 }]],
      [[byId(ann, 0.86), byName(` ${name.toUpperCase()}`, 0.9)], [{ person: zoe, type: 2 }]],
      // The same person twice does not make a match ambiguous.
      [[byName(name, 0.92), byId(zoe, 0.93)], [{ person: zoe, type: 1 }]],
      [[byId(newId(), 1), byId(ann, 0.91)], [{ person: ann, type: 1 }]],
      [[byName('nobody', 1)], []],
      [[byId(ann, 0.99)], [{ person: ann, type: 5 }], { Sharpness: 0.1 }],
    ] as const) {
      const report = { ...app.reportOf(...candidates), ...more };
      await app.send(report);
      await app.settled();
      assert.deepEqual(await facesOf(report.SourceId), kept, JSON.stringify(candidates));
    }
  });

  it('change no decision and restore nothing when the matcher runs ten times more', async () => {
    const [ann, bob] = [await app.core.addPerson(), await app.core.addPerson()];
    const reports = Array.from({ length: 5 }, () =>
      app.reportOf({ PersonId: ann, Similarity: 0.95 }, { PersonId: bob, Similarity: 0.8 }),
    );
    const runs = async (times: number) => {
      for (let run = 0; run < times; run += 1) for (const report of reports) await app.send(report);
      await app.settled();
    };
    const counts = async (id: string) => Object.values(await app.core.countsOf(id));
    await runs(1);
    const ids = (await app.core.facesOf(ann, 1)).toReversed().map(({ Id }) => Id);
    assert.equal(ids.length, 5);
    const decided = ['NotMatch', 'ConfirmedMatch', 'Blurry'];
    const Items = decided.map((FaceMatchType, at) => ({ FaceId: ids[at], FaceMatchType }));
    await app.core.put(`/person/${ann}/face`, { Items }).expect(200);
    await runs(10);
    assert.deepEqual(await counts(ann), [2, 0, 1, 1, 1]);
    // After the best match was rejected, the next one is proposed.
    assert.deepEqual(fieldsOf(await app.core.facesOf(bob, 2), 'Id'), [ids[0]]);
    await app.core.put(`/person/${bob}/face/${ids[0]}`, { FaceMatchType: 3 }).expect(200);
    await runs(1);
    assert.deepEqual(
      [await counts(ann), await counts(bob)],
      [
        [2, 0, 1, 1, 1],
        [0, 0, 1, 0, 0],
      ],
    );
  });

  it('wait while Postgres is down, and are all stored once it is back', async () => {
    const ann = await app.core.addPerson();
    const reports = Array.from({ length: 40 }, () => app.reportOf({ PersonId: ann, Similarity: 0.8 }));
    app.postgres.reset();
    for (const report of reports) await app.send(report);
    await eventually(async () => {
      const { messageCount } = await app.broker.channel.checkQueue(app.broker.faces.delays[0]?.queue ?? '');
      return messageCount > 0;
    }, 15);
    await app.postgres.heal();
    await eventually(async () => (await app.core.countsOf(ann)).ProbableMatch === 40, 40);
    assert.equal((await app.broker.take(app.broker.faces.dead)).length, 0);
  });
});

/** Core's consumer of face reports, over a connection to Postgres that a test can cut, and a reporter. */
async function startReports() {
  const core = await startPersons();
  const broker = await testBroker();
  const postgres = await Proxy.to(core.app.settings.DATABASE_URL);
  const far = await startPersons({ DATABASE_URL: postgres.url }, core);
  const reporter = createFaceReporter({ url: broker.url, log: testLog(), topology: broker.faces });
  const stops: (() => unknown)[] = [];
  const lifecycle: Lifecycle = { onStop: (stop) => void stops.push(stop), every: () => {}, stopping: false };
  const metrics = createMetrics('test');
  const deps = { ...far.app.service, faceRules };
  const { isReady } = takeReports({ deps, url: broker.url, lifecycle, metrics, topology: broker.faces });
  await eventually(() => reporter.isReady() && isReady());
  let sent = 0;
  return {
    ...{ core, broker, postgres },
    reportOf: (...Candidates: FaceReport['Candidates']): FaceReport => ({ SourceId: newId(), Candidates }),
    send: async (report: FaceReport) => {
      await reporter.report(report);
      sent += 1;
    },
    /** Waits until everything that was sent is processed. */
    settled: () =>
      eventually(async () => {
        const counts = await metrics.getSingleMetric('gatehouse_face_reports_total')?.get();
        return (counts?.values ?? []).reduce((sum, { value }) => sum + value, 0) >= sent;
      }, 20),
    stop: async () => {
      for (const stop of stops) await stop();
      await reporter.close();
      await postgres.heal();
      await far.stop();
      await postgres.close();
      await broker.drop();
      await core.stop();
    },
  };
}
