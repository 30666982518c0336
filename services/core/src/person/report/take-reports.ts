import {
  Consumer,
  createFaceReportReader,
  FaceMatchType,
  faceTopologyOf,
  type Topology,
} from '@gatehouse/events';
import { Counter, withinSeconds, type Lifecycle, type Metrics } from '@gatehouse/runtime';
import type { Deps } from '../../deps.ts';
import { purgeFaces, reportFace } from '@gatehouse/accounts';
import { readFace } from '../face/face-answer.ts';

/** Low enough that many reports leave Postgres connections for logins. */
const PREFETCH = 4;
/** A report that takes longer is retried. */
const REPORT_SECONDS = 10;

/**
 * Starts to consume the reports of the recognition pipeline, and to delete what deleted persons left behind. A report is
 * acknowledged once it is committed; a repeated report changes nothing.
 */
export function takeReports(options: {
  deps: Pick<Deps, 'db' | 'relay' | 'faceRules' | 'log'>;
  url: string;
  /** The certificate authorities of the broker as PEM. */
  ca?: string | undefined;
  lifecycle: Lifecycle;
  metrics: Metrics;
  /** Separate names on the broker, for tests. */
  topology?: Topology;
}): { isReady: () => boolean } {
  const { deps, url, ca, lifecycle, metrics, topology = faceTopologyOf() } = options;
  const { db, relay, log } = deps;
  const reports = countReports(metrics);
  const consumer = new Consumer({
    url,
    ca,
    log,
    name: 'core faces',
    topology,
    prefetch: PREFETCH,
    read: createFaceReportReader(),
    // The content of a report may be about a person who was erased.
    facts: () => ({}),
    handle: async (report) => {
      const given = { face: readFace(report), candidates: report.Candidates };
      const type = await reportFace(deps, given, withinSeconds(REPORT_SECONDS));
      reports.inc({ result: type === undefined ? 'nothing new' : NAMES[type] });
      if (type !== undefined) relay.wake();
      return { kind: 'done' };
    },
  });
  lifecycle.every(2, 'removing the faces of deleted persons', () => purgeFaces(db, () => lifecycle.stopping));
  lifecycle.onStop(() => consumer.close());
  return { isReady: () => consumer.isReady };
}

const NAMES = Object.fromEntries(Object.entries(FaceMatchType).map(([name, type]) => [type, name]));

function countReports(metrics: Metrics): Counter {
  return new Counter({
    name: 'gatehouse_face_reports_total',
    help: 'Face reports received from the queue',
    labelNames: ['result'],
    registers: [metrics],
  });
}
