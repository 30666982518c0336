import { createFaceReporter, type FaceReport } from '@gatehouse/events';
import { testBroker } from '@gatehouse/events/testing';
import { eventually, Proxy, testLog } from '@gatehouse/runtime/testing';
import { createMetrics, type Lifecycle, type Metrics } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { takeReports } from '../person/report/take-reports.ts';
import { faceRules } from './index.ts';
import { startPersons } from './persons.ts';

export type TestReports = Awaited<ReturnType<typeof startReports>>;

/** Core's consumer of face reports and a reporter, over connections that a test can cut. */
export async function startReports() {
  const core = await startPersons();
  const broker = await testBroker();
  const proxy = await Proxy.to(broker.url);
  const postgres = await Proxy.to(core.app.settings.DATABASE_URL);
  const far = await startPersons({ DATABASE_URL: postgres.url }, core);
  const reporter = createFaceReporter({ url: broker.url, log: testLog(), topology: broker.faces });
  await eventually(() => reporter.isReady());
  const registries: Metrics[] = [];
  let sent = 0;
  const consume = async () => {
    const stops: (() => unknown)[] = [];
    const lifecycle: Lifecycle = {
      onStop: (stop) => void stops.push(stop),
      every: () => {},
      stopping: false,
    };
    const metrics = createMetrics('test');
    registries.push(metrics);
    const deps = { ...far.app.service, faceRules };
    const { isReady } = takeReports({ deps, url: proxy.url, lifecycle, metrics, topology: broker.faces });
    await eventually(() => isReady());
    return async () => {
      for (const stop of stops) await stop();
    };
  };
  let stopConsumer = await consume();
  return {
    core,
    broker,
    proxy,
    postgres,
    reporter,
    reportOf: (...candidates: FaceReport['Candidates']): FaceReport => ({
      SourceId: newId(),
      Candidates: candidates,
    }),
    send: async (report: FaceReport) => {
      await reporter.report(report);
      sent += 1;
    },
    /** Waits until everything that was sent is processed. */
    settled: () =>
      eventually(async () => {
        const done = await Promise.all(
          registries.map(async (one) => await one.getSingleMetric('gatehouse_face_reports_total')?.get()),
        );
        const counts = done.flatMap((metric) => metric?.values ?? []).map(({ value }) => value);
        return counts.reduce((sum, value) => sum + value, 0) >= sent;
      }, 20),
    stopConsumer: () => stopConsumer(),
    startConsumer: async () => {
      stopConsumer = await consume();
    },
    stop: async () => {
      await stopConsumer();
      await reporter.close();
      await postgres.heal();
      await far.stop();
      await postgres.close();
      await proxy.close();
      await broker.drop();
      await core.stop();
    },
  };
}
