import { write } from '@gatehouse/accounts';
import type { Transaction } from '@gatehouse/db';
import { Consumer, createFaceReportReader, FaceMatchType, faceTopologyOf } from '@gatehouse/events';
import type { FaceReport, Topology } from '@gatehouse/events';
import { Counter, withinSeconds, type Deadline, type Lifecycle, type Metrics } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import type { Deps } from '../../deps.ts';
import { readFace } from '../face/face.ts';
import { propose, type Candidate } from '../face/match-rules.ts';
import { addMatch } from '../face/report.ts';
import { isLive } from '../face/review.ts';
import { findBySourceId, findMatches, lockOrInsertFace, type ReportedFace } from '../face/store.ts';
import { readName } from '../person-name.ts';
import { clearBySource, purgeFaces } from '../purge.ts';
import { keepPersons } from '../store.ts';

type ReportDeps = Parameters<typeof write>[0] & Pick<Deps, 'faceRules'>;

/** Low enough that many reports leave Postgres connections for logins. */
const PREFETCH = 4;
/** A report that takes longer is retried. */
const REPORT_SECONDS = 10;

/**
 * Takes the reports of the recognition pipeline, and purges what deleted persons left. A report is acknowledged once it
 * is committed; a repeated one changes nothing.
 */
export function takeReports(options: {
  deps: ReportDeps & Pick<Deps, 'log'>;
  url: string;
  /** The certificate authorities of the broker as PEM. */
  ca?: string | undefined;
  lifecycle: Lifecycle;
  metrics: Metrics;
  /** Separate names on the broker, for tests. */
  topology?: Topology;
}): { isReady: () => boolean } {
  const { deps, url, ca, lifecycle, metrics, topology = faceTopologyOf() } = options;
  const reports = new Counter<string>({
    name: 'gatehouse_face_reports_total',
    help: 'Face reports received from the queue',
    labelNames: ['result'],
    registers: [metrics],
  });
  const consumer = new Consumer({
    url,
    ca,
    log: deps.log,
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
      return { kind: 'done' };
    },
  });
  lifecycle.every(2, 'removing the faces of deleted persons', () =>
    purgeFaces(deps, () => lifecycle.stopping),
  );
  lifecycle.onStop(() => consumer.close());
  return { isReady: () => consumer.isReady };
}

const NAMES = Object.fromEntries(Object.entries(FaceMatchType).map(([name, type]) => [type, name]));

/**
 * Stores a face reported by the recognition pipeline for the person it resembles most, if the rules allow it. A face
 * that is already proposed or confirmed stays as it is, however often it is reported; a person for whom it was rejected
 * is no longer a candidate.
 *
 * @returns the stored relation, or `undefined` if nothing changed.
 */
export async function reportFace(
  deps: ReportDeps,
  { face, candidates: named }: { face: ReportedFace; candidates: FaceReport['Candidates'] },
  deadline: Deadline,
): Promise<FaceMatchType | undefined> {
  const { db, faceRules } = deps;
  if ((await findBySourceId(db, face.sourceId)).some(isLive)) return undefined;
  const origin = { ...deadline, traceId: newId().replaceAll('-', '') };
  return write(deps, { actor: { kind: 'System' }, origin }, async (tx) => {
    const candidates = await findCandidates(tx, named);
    if (propose(faceRules, face.sharpness, candidates) === undefined) return undefined;
    await clearBySource(tx, face.sourceId);
    const faceId = await lockOrInsertFace(tx, face);
    const matches = await findMatches(tx, [faceId]);
    if (matches.some(isLive)) return undefined;
    const refused = new Set(matches.map(({ personId }) => personId));
    const rest = candidates.filter(({ personId }) => !refused.has(personId));
    const proposal = propose(faceRules, face.sharpness, rest);
    if (proposal === undefined) return undefined;
    await addMatch(tx, { faceId, ...proposal });
    return proposal.type;
  });
}

/** The candidates, each once with its highest similarity; unknown persons are ignored. */
async function findCandidates(tx: Transaction, given: FaceReport['Candidates']): Promise<Candidate[]> {
  const named = given.map(({ PersonId, Name, Similarity }) => ({
    id: PersonId ?? undefined,
    nameKey: PersonId ? undefined : readName(Name ?? '')?.nameKey,
    similarity: Similarity,
  }));
  const found = await keepPersons(tx, {
    ids: named.flatMap(({ id }) => id ?? []),
    nameKeys: named.flatMap(({ nameKey }) => nameKey ?? []),
  });
  const idOfKey = new Map(found.map(({ id, nameKey }) => [nameKey, id]));
  const ids = new Set(found.map(({ id }) => id));
  const similarities = new Map<string, number>();
  for (const { id, nameKey, similarity } of named) {
    const personId = nameKey === undefined ? id : idOfKey.get(nameKey);
    if (personId === undefined || !ids.has(personId)) continue;
    similarities.set(personId, Math.max(similarity, similarities.get(personId) ?? 0));
  }
  return [...similarities].map(([personId, similarity]) => ({ personId, similarity }));
}
