import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { createFaceReporter, type FaceReport, type FaceReporter } from '@gatehouse/events';
import { detour, testBroker, type Detour, type TestBroker } from '@gatehouse/events/testing';
import { createMetrics, type Life, type Metrics } from '@gatehouse/runtime';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { takeReports } from './take-reports.ts';
import { faceRules } from '../../testing/index.ts';
import { startPersons, type TestPersons } from '../testing.ts';

describe('reports of faces over the queue', () => {
  let core: TestPersons;
  let broker: TestBroker;
  let way: Detour;
  let reporter: FaceReporter;
  let postgres: Detour;
  let far: TestPersons;
  let taker: { stop(): Promise<void> };
  let sent = 0;
  const registries: Metrics[] = [];
  before(async () => {
    core = await startPersons();
    broker = await testBroker();
    way = await detour(broker.url);
    postgres = await detour(core.app.settings.DATABASE_URL);
    far = await startPersons({ DATABASE_URL: postgres.url }, core);
    reporter = createFaceReporter({ url: broker.url, log: testLog(), topology: broker.faces });
    await eventually(() => reporter.isReady());
    taker = await take();
  });
  after(async () => {
    await taker.stop();
    await reporter.close();
    postgres.heal();
    await far.stop();
    await postgres.close();
    await way.close();
    await broker.drop();
    await core.stop();
  });
  afterEach(() => core.checkCounts());

  /** The consumer as Core runs it, over lines that can be cut. */
  const take = async () => {
    const stops: (() => unknown)[] = [];
    const life: Life = { onStop: (stop) => void stops.push(stop), every: () => {}, stopping: false };
    const { db, relay, log } = far.app.service;
    const metrics = createMetrics('test');
    registries.push(metrics);
    const { isReady } = takeReports({
      deps: { db, relay, log, faceRules },
      url: way.url,
      life,
      metrics,
      topology: broker.faces,
    });
    await eventually(() => isReady());
    return {
      stop: async () => {
        for (const stop of stops) await stop();
      },
    };
  };
  const reportOf = (...candidates: FaceReport['Candidates']): FaceReport => ({
    SourceId: newId(),
    Candidates: candidates,
  });
  const send = async (report: FaceReport) => {
    await reporter.report(report);
    sent += 1;
  };
  /** Waits until all that was sent is done. */
  const settled = () =>
    eventually(async () => {
      const done = await Promise.all(
        registries.map(async (one) => await one.getSingleMetric('gatehouse_face_reports_total')?.get()),
      );
      const counts = done.flatMap((metric) => metric?.values ?? []).map(({ value }) => value);
      return counts.reduce((sum, value) => sum + value, 0) >= sent;
    }, 20);
  const facesOf = async (source: string) =>
    await query<{ person: string; type: number }>(
      core.app.db,
      `select m.person_id as person, m.type from face f join face_match m on m.face_id = f.id
       where f.source_id = ?`,
      [source],
    );

  it('are kept for whom they are likest, by id or by name', async () => {
    const name = `Zoë ${newId()}`;
    const [ann, zoe] = [await core.addPerson(), await core.addPerson(name)];
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
      // The same person twice is no rival of themselves.
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
      const report = reportOf(...candidates);
      await send(report);
      await settled();
      assert.deepEqual(await facesOf(report.SourceId), kept, JSON.stringify(candidates));
    }
    const blurry = { ...reportOf({ PersonId: ann, Similarity: 0.99 }), Sharpness: 0.1 };
    await send(blurry);
    await settled();
    assert.deepEqual(await facesOf(blurry.SourceId), [{ person: ann, type: 5 }]);
  });

  it('keep what they say of the face', async () => {
    const ann = await core.addPerson();
    const said = {
      Sharpness: 0.75,
      ImageUrl: 'https://images.example/1.jpg',
      BoundingBox: { Left: 0.1, Top: 0.2, Width: 0.3, Height: 0.4 },
      CapturedAt: '2026-01-02T03:04:05.678Z',
    };
    await send({ ...reportOf({ PersonId: ann, Similarity: 0.8 }), ...said });
    await settled();
    const [face] = await core.facesOf(ann, 2);
    assert.deepEqual({ ...face, ...said }, face);
  });

  it('change no decision and bring nothing back, when the matcher runs ten times more', async () => {
    const [ann, bob] = [await core.addPerson(), await core.addPerson()];
    const reports = Array.from({ length: 5 }, () =>
      reportOf({ PersonId: ann, Similarity: 0.95 }, { PersonId: bob, Similarity: 0.8 }),
    );
    for (const report of reports) await send(report);
    await settled();
    const ids = (await core.facesOf(ann, 1)).toReversed().map(({ Id }) => Id);
    assert.equal(ids.length, 5);
    const [one, two, three] = ids;
    await core.put(`/person/${ann}/face`, {
      Items: [
        { FaceId: one, FaceMatchType: 'NotMatch' },
        { FaceId: two, FaceMatchType: 'ConfirmedMatch' },
        { FaceId: three, FaceMatchType: 'Blurry' },
      ],
    });
    for (let run = 0; run < 10; run += 1) for (const report of reports) await send(report);
    await settled();
    assert.deepEqual(Object.values(await core.countsOf(ann)), [2, 0, 1, 1, 1]);
    // Refused for the likest, a face may show the next.
    assert.deepEqual(
      (await core.facesOf(bob, 2)).map(({ Id }) => Id),
      [one],
    );
    await core.put(`/person/${bob}/face/${one}`, { FaceMatchType: 3 }).expect(200);
    for (const report of reports) await send(report);
    await settled();
    assert.deepEqual(Object.values(await core.countsOf(ann)), [2, 0, 1, 1, 1]);
    assert.deepEqual(Object.values(await core.countsOf(bob)), [0, 0, 1, 0, 0]);
  });

  it('are one face, however often and at once they come', async () => {
    const ann = await core.addPerson();
    const report = reportOf({ PersonId: ann, Similarity: 0.8 });
    await Promise.all([
      ...Array.from({ length: 20 }, () => send(report)),
      ...Array.from({ length: 5 }, () =>
        core.post(`/person/${ann}/face`, { SourceId: report.SourceId, Similarity: 0.95 }),
      ),
    ]);
    await settled();
    assert.equal((await facesOf(report.SourceId)).length, 1);
  });

  it('are parked with the reason when they are none, while the rest flows', async () => {
    const good = { SourceId: newId(), Candidates: [] };
    const poison: [unknown, RegExp][] = [
      ['{', /not JSON/],
      ['null', /must be of type object/],
      ['[]', /must be of type object/],
      [{ ...good, Version: 2 }, /unknown version/],
      [{ ...good, Version: '1' }, /unknown version/],
      [{ specversion: '1.0', type: 'person.created', data: good }, /\/SourceId is required/],
      [{ ...good, SourceId: 'a\u0000b' }, /\/SourceId/],
      [{ ...good, SourceId: 7 }, /\/SourceId/],
      [{ SourceId: 'x' }, /\/Candidates is required/],
      [{ ...good, Candidates: [{ Similarity: 1 }] }, /\/Candidates\/0 must have a PersonId or a Name/],
      [{ ...good, Candidates: [{ PersonId: 'x', Similarity: 1 }] }, /\/Candidates\/0\/PersonId/],
      [{ ...good, Candidates: [{ PersonId: newId(), Similarity: 1.5 }] }, /\/Candidates\/0\/Similarity/],
      [{ ...good, Candidates: [{ PersonId: `urn:uuid:${newId()}`, Similarity: 1 }] }, /PersonId/],
      [{ ...good, Candidates: [{ Name: 'a\u0000b', Similarity: 1 }] }, /\/Candidates\/0\/Name/],
      [{ ...good, BoundingBox: { Left: 2 } }, /\/BoundingBox/],
      [{ ...good, CapturedAt: '2016-12-31T23:59:60Z' }, /\/CapturedAt/],
      [{ ...good, ImageUrl: 'javascript:alert(1)' }, /\/ImageUrl/],
      [{ ...good, Notes: 'x'.repeat(300_000) }, /larger/],
    ];
    for (const [message] of poison) {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      broker.channel.sendToQueue(broker.faces.queue, Buffer.from(text));
    }
    await send(reportOf());
    await settled();
    const reasons = new Map<string, string>();
    await eventually(async () => {
      for (const { content, properties } of await broker.take(broker.faces.dead)) {
        reasons.set(String(content), String(properties.headers?.['x-reason']));
      }
      return reasons.size >= poison.length;
    });
    for (const [message, reason] of poison) {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      // Of what is too large the beginning is kept.
      assert.match(reasons.get(text.slice(0, 262_144)) ?? 'not parked', reason);
    }
    assert.equal(reasons.size, poison.length);
  });

  it('are taken, or parked, whatever their headers say', async () => {
    const ann = await core.addPerson();
    const deaths = [{ queue: broker.faces.delays[0]?.queue }];
    const sendWith = (failures: unknown, content: string) =>
      broker.channel.sendToQueue(broker.faces.queue, Buffer.from(content), {
        headers: { 'x-failures': failures, 'x-death': deaths },
      });
    const odd = ['many', -1e9, {}, [[]], true, 1e300];
    for (const failures of odd) {
      sendWith(failures, '{');
      sendWith(failures, JSON.stringify(reportOf({ PersonId: ann, Similarity: 0.8 })));
    }
    await eventually(async () => (await core.countsOf(ann)).ProbableMatch === odd.length);
    let parked = 0;
    await eventually(async () => (parked += (await broker.take(broker.faces.dead)).length) === odd.length);
  });

  it('wait while Postgres is gone, and all are there once it is back', async function () {
    this.timeout(60_000);
    const ann = await core.addPerson();
    const reports = Array.from({ length: 40 }, () => reportOf({ PersonId: ann, Similarity: 0.8 }));
    postgres.cut({ refuse: true });
    for (const report of reports) await send(report);
    await eventually(async () => {
      const { messageCount } = await broker.channel.checkQueue(broker.faces.delays[0]?.queue ?? '');
      return messageCount > 0;
    }, 15);
    postgres.heal();
    await eventually(async () => (await core.countsOf(ann)).ProbableMatch === 40, 40);
    const parked = await broker.take(broker.faces.dead);
    assert.deepEqual(
      parked.map(({ properties }) => properties.headers),
      [],
    );
  });

  it('go on after the connection to the broker was cut and the queue deleted', async () => {
    const ann = await core.addPerson();
    way.cut();
    await send(reportOf({ PersonId: ann, Similarity: 0.8 }));
    await eventually(async () => (await core.countsOf(ann)).ProbableMatch === 1);
    await broker.channel.deleteQueue(broker.faces.queue);
    await eventually(() => send(reportOf({ PersonId: ann, Similarity: 0.8 })).then(() => true));
    await eventually(async () => (await core.countsOf(ann)).ProbableMatch === 2);
  });

  it('that are under way are finished before a stop, and none is lost by it', async () => {
    const ann = await core.addPerson();
    const reports = Array.from({ length: 100 }, () => reportOf({ PersonId: ann, Similarity: 0.8 }));
    await Promise.all(reports.map(send));
    await eventually(async () => (await core.countsOf(ann)).ProbableMatch > 0);
    await taker.stop();
    const { messageCount } = await broker.channel.checkQueue(broker.faces.queue);
    const { ProbableMatch } = await core.countsOf(ann);
    assert.equal(ProbableMatch + messageCount, 100);
    taker = await take();
    await eventually(async () => (await core.countsOf(ann)).ProbableMatch === 100, 20);
  });
});
