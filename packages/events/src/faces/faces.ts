import { compile, Nullable, Text, Timestamp, Type, Uuid, type Static } from '@gatehouse/schema';
import { jsonIn, type Log } from '@gatehouse/runtime';
import { readMoment } from '../event/event.ts';
import { Sender } from '../broker/sender.ts';
import { faceTopologyOf, type Topology } from '../broker/topology.ts';

/** A similarity, a sharpness or a position in an image, from 0 (none) to 1 (all). */
export function Share() {
  return Type.Number({ minimum: 0, maximum: 1 });
}

export function BoundingBox() {
  const fields = { Left: Share(), Top: Share(), Width: Share(), Height: Share() };
  return Type.Object(fields, {
    title: 'BoundingBox',
    description: 'Position in the image, as fractions of its width and height',
  });
}

/** The fields of a reported face, both in the queue and over HTTP. Null counts as absent. */
export const faceFields = {
  SourceId: Text(200, {
    description:
      'Identifier of the face in the recognition pipeline; identifies repeated reports of the same face',
  }),
  Sharpness: Type.Optional(Nullable(Share())),
  ImageUrl: Type.Optional(
    // A reviewer's browser opens it, so `javascript:` and the like are not allowed.
    Nullable(Type.String({ format: 'uri', pattern: /^https?:\/\//.source, maxLength: 2000 })),
  ),
  BoundingBox: Type.Optional(Nullable(BoundingBox())),
  CapturedAt: Type.Optional(Nullable(Timestamp())),
};

const Candidate = Type.Object({
  PersonId: Type.Optional(Nullable(Uuid())),
  Name: Type.Optional(Nullable(Text(200))),
  Similarity: Share(),
});

/** A message of the queue `person.faces` (docs/persons.md); without a version it is version 1. */
export const FaceReport = Type.Object({
  Version: Type.Optional(Type.Literal(1)),
  ...faceFields,
  Candidates: Type.Array(Candidate, { maxItems: 100 }),
});
export type FaceReport = Static<typeof FaceReport>;

const BYTES_MAX = 262_144;

/** A string says why a message is no report. Unknown fields are dropped; another meaning needs another `Version`. */
export function createFaceReportReader(): (content: Buffer) => FaceReport | string {
  const check = compile(FaceReport, { unknownFields: 'drop' });
  return (content) => {
    if (content.length > BYTES_MAX) return 'larger than the maximum size of a report';
    const value = jsonIn(content.toString('utf8'));
    if (value === undefined) return 'not JSON';
    const { Version: version = 1 } = (value ?? {}) as { Version?: unknown };
    if (version !== 1) return 'unknown version';
    const problems = check(value);
    if (problems !== undefined)
      return problems.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
    const report = value as FaceReport; // just checked
    const nobody = report.Candidates.findIndex(
      ({ PersonId, Name }) => (PersonId ?? Name ?? undefined) === undefined,
    );
    if (nobody !== -1) return `/Candidates/${nobody} must have a PersonId or a Name`;
    if (readMoment(report.CapturedAt) === 'none') return '/CapturedAt must be an RFC 3339 date and time';
    return report;
  };
}

/** Reports faces like a recognition pipeline. Reconnects by itself; without a connection `report` fails at once. */
export function createFaceReporter(options: { url: string; log: Log; topology?: Topology }) {
  const topology = options.topology ?? faceTopologyOf();
  const sender = new Sender({ ...options, topology, name: 'face reporter' });
  return {
    /** Resolves once the broker has stored the report. @throws {Unavailable} if that takes longer than 5 s. */
    report: (report: FaceReport): Promise<void> =>
      sender.send('', topology.queue, Buffer.from(JSON.stringify(report)), {
        persistent: true,
        mandatory: true,
        contentType: 'application/json',
      }),
    isReady: () => sender.isReady,
    close: () => sender.close(),
  };
}
