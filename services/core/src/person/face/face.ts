import { faceFields, FaceMatchType, Share } from '@gatehouse/events';
import { createPaging, invalidRequest, Page, pagingQuery, reply } from '@gatehouse/http';
import { readMoment } from '@gatehouse/kit';
import { Nullable, OneOf, Text, Type, Uuid, type Problem } from '@gatehouse/schema';
import type { Static, TObject } from '@gatehouse/schema';
import { routeOf } from '../../deps.ts';
import { noSuchPerson, PERSON_ACCESS } from '../person.ts';
import { VersionedPerson } from '../store.ts';
import { reportFaceOf } from './report.ts';
import { reviewFaces } from './review.ts';
import { Face, findNewestFaces, type ReportedFace } from './store.ts';

const FaceBody = Type.Object({
  ...faceFields,
  Similarity: Share(),
  FaceMatchType: Type.Optional(OneOf(FaceMatchType)),
});

const reviewFields = {
  FaceMatchType: OneOf(FaceMatchType),
  Reason: Type.Optional(Nullable(Text(500))),
};

const paging = createPaging(Type.Object({ FaceId: Uuid() }));

const route = routeOf({ tag: 'Faces', access: PERSON_ACCESS });

export const faceRoutes = [
  route('POST /person/:id/face', {
    operationId: 'reportFace',
    summary: 'Report a face that may show a person',
    description:
      'The service determines the match type, unless `FaceMatchType` gives the decision of a reviewer. If this ' +
      'person already has a face with the same `SourceId`, that face is returned unchanged.',
    body: FaceBody,
    response: Face.Answer,
    status: {
      201: 'Success',
      200: 'The face is already known',
      204: 'The face does not match the person and is not stored',
    },
    errors: ['not_found', 'conflict'],
    handler: async ({ params, body, deps, ...by }) => {
      const report = { personId: params.id, similarity: body.Similarity, face: readFace(body) };
      const kept = await reportFaceOf(deps, report, body.FaceMatchType, by);
      if (kept === undefined) return reply({ status: 204 });
      return reply({ status: kept.isNew ? 201 : 200, body: Face.answer(kept.face) });
    },
  }),

  route('PUT /person/:id/face', {
    operationId: 'reviewFaces',
    summary: 'Review up to 500 faces in one transaction',
    body: Type.Object({
      Items: Type.Array(Type.Object({ FaceId: Uuid(), ...reviewFields }, { title: 'FaceReview' }), {
        minItems: 1,
        maxItems: 500,
      }),
    }),
    response: Type.Object({ Items: Type.Array(Face.Answer) }),
    errors: ['not_found', 'conflict'],
    handler: async ({ params, body: { Items }, deps, ...by }) => {
      const pointerOf = (at: number) => `/Items/${at}/FaceId`;
      // Two decisions about one face in one call either contradict each other, or one is redundant.
      const ids = Items.map(({ FaceId }) => FaceId);
      const errors = ids.flatMap((id, at): Problem[] => {
        if (ids.indexOf(id) === at) return [];
        return [{ pointer: pointerOf(at), message: 'must not be repeated', code: 'does_not_go_with' }];
      });
      if (errors.length > 0) throw invalidRequest(undefined, { errors });
      const reviews = Items.map((item) => ({ faceId: item.FaceId, ...readReview(item) }));
      const reviewed = await reviewFaces(deps, params.id, reviews, { ...by, pointerOf });
      return { Items: reviewed.map(Face.answer) };
    },
  }),

  route('PUT /person/:id/face/:faceId', {
    operationId: 'reviewFace',
    summary: 'Review a face',
    description:
      'Records the decision with its reviewer, time and reason. Later reports do not change it. A confirmed face ' +
      'is no longer proposed for other persons; confirming a face that is confirmed for another person fails with ' +
      '`conflict`.',
    body: Type.Object(reviewFields),
    response: Face.Answer,
    errors: ['not_found', 'conflict'],
    handler: async ({ params: { id, faceId }, body, deps, ...by }) => {
      const reviews = [{ faceId, ...readReview(body) }];
      const [face] = await reviewFaces(deps, id, reviews, { ...by, pointerOf: () => '/path/faceId' });
      if (face === undefined) throw new Error('a face was reviewed and is not there');
      return Face.answer(face);
    },
  }),

  route('GET /person/:id/:faceMatchType', {
    operationId: 'listFaces',
    summary: 'List the faces of a person by match type, newest first',
    params: { faceMatchType: OneOf(FaceMatchType) },
    query: Type.Object(pagingQuery()),
    response: Page(Face.Answer),
    errors: ['not_found'],
    handler: async ({ params: { id: personId, faceMatchType: type }, query, deps, refuse }) => {
      const beforeId = paging.read(query.cursor)?.FaceId;
      if ((await VersionedPerson.find(deps.db, personId)) === undefined) throw noSuchPerson(refuse);
      const rows = await findNewestFaces(deps.db, { personId, type, beforeId, max: query.limit + 1 });
      const key = ({ id }: Face) => ({ FaceId: id });
      return paging.page(rows, query.limit, { key, item: Face.answer });
    },
  }),
];

function readReview({ FaceMatchType: type, Reason: reason = null }: Static<TObject<typeof reviewFields>>) {
  return { type, reason };
}

/** @throws {ApiError} 400 for an invalid `CapturedAt`. */
export function readFace(body: Omit<Static<typeof FaceBody>, 'Similarity'>): ReportedFace {
  return {
    sourceId: body.SourceId,
    sharpness: body.Sharpness ?? null,
    imageUrl: body.ImageUrl ?? null,
    boundingBox: body.BoundingBox ?? null,
    capturedAt: readMoment(body.CapturedAt ?? undefined, '/CapturedAt') ?? null,
  };
}
