import type { Face, ReportedFace } from '@gatehouse/db';
import { BoundingBox, faceFields, FaceMatchType, readMoment, Share } from '@gatehouse/events';
import { invalidRequest } from '@gatehouse/http';
import { Integers, Nullable, OneOf, type Static, Text, Timestamp, Type, Uuid } from '@gatehouse/schema';

/** A face of a person in Core's responses. */
export const FaceAnswer = Type.Object(
  {
    Id: Uuid(),
    PersonId: Uuid(),
    FaceMatchType: Integers(FaceMatchType, 'FaceMatchType'),
    Similarity: Share(),
    Sharpness: Nullable(Type.Number()),
    ImageUrl: Nullable(Type.String()),
    SourceId: Type.String(),
    BoundingBox: Nullable(BoundingBox()),
    CapturedAt: Nullable(Timestamp()),
    DecidedBy: Nullable(Uuid()),
    DecidedAt: Nullable(Timestamp()),
    Reason: Nullable(Type.String()),
  },
  { title: 'Face' },
);

/** A reported face of a person. */
export const FaceBody = Type.Object({
  ...faceFields,
  Similarity: Share(),
  FaceMatchType: Type.Optional(OneOf(FaceMatchType)),
});

/** A decision about a face. */
export const reviewFields = {
  FaceMatchType: OneOf(FaceMatchType),
  Reason: Type.Optional(Nullable(Text(500))),
};

export function faceAnswer(face: Face) {
  return {
    Id: face.faceId,
    PersonId: face.personId,
    FaceMatchType: face.type,
    Similarity: face.similarity,
    Sharpness: face.sharpness,
    ImageUrl: face.imageUrl,
    SourceId: face.sourceId,
    BoundingBox: face.boundingBox,
    CapturedAt: face.capturedAt?.toISOString() ?? null,
    DecidedBy: face.decidedBy,
    DecidedAt: face.decidedAt?.toISOString() ?? null,
    Reason: face.reason,
  };
}

/** Converts a face to what is stored. @throws {ApiError} 400 for an invalid `CapturedAt`. */
export function readFace(body: Omit<Static<typeof FaceBody>, 'Similarity'>): ReportedFace {
  const capturedAt = readMoment(body.CapturedAt);
  if (capturedAt === 'none') {
    throw invalidRequest(undefined, {
      errors: [
        { pointer: '/CapturedAt', message: 'must be an RFC 3339 date and time', code: 'not_a_date_time' },
      ],
    });
  }
  return {
    sourceId: body.SourceId,
    sharpness: body.Sharpness ?? null,
    imageUrl: body.ImageUrl ?? null,
    boundingBox: body.BoundingBox ?? null,
    capturedAt,
  };
}
