import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { startReports, type TestReports } from '../../testing/reports.ts';

describe('reports of faces while something is down', () => {
  let app: TestReports;
  before(async () => {
    app = await startReports();
  });
  after(() => app.stop());
  afterEach(() => app.core.checkCounts());

  it('wait while Postgres is down, and are all stored once it is back', async function () {
    this.timeout(60_000);
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
    const parked = await app.broker.take(app.broker.faces.dead);
    assert.deepEqual(
      parked.map(({ properties }) => properties.headers),
      [],
    );
  });

  it('continue after the connection to the broker was cut and the queue deleted', async () => {
    const ann = await app.core.addPerson();
    app.proxy.cut();
    await app.send(app.reportOf({ PersonId: ann, Similarity: 0.8 }));
    await eventually(async () => (await app.core.countsOf(ann)).ProbableMatch === 1);
    await app.broker.channel.deleteQueue(app.broker.faces.queue);
    await eventually(() => app.send(app.reportOf({ PersonId: ann, Similarity: 0.8 })).then(() => true));
    await eventually(async () => (await app.core.countsOf(ann)).ProbableMatch === 2);
  });

  it('in progress are finished before a stop, without loss', async () => {
    const ann = await app.core.addPerson();
    const reports = Array.from({ length: 100 }, () => app.reportOf({ PersonId: ann, Similarity: 0.8 }));
    await Promise.all(reports.map(app.send));
    await eventually(async () => (await app.core.countsOf(ann)).ProbableMatch > 0);
    await app.stopConsumer();
    const { messageCount } = await app.broker.channel.checkQueue(app.broker.faces.queue);
    const { ProbableMatch } = await app.core.countsOf(ann);
    assert.equal(ProbableMatch + messageCount, 100);
    await app.startConsumer();
    await eventually(async () => (await app.core.countsOf(ann)).ProbableMatch === 100, 20);
  });
});
