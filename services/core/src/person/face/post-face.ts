import { reportFaceOf } from '@gatehouse/accounts';
import { reply } from '@gatehouse/http';
import { route } from '../../deps.ts';
import { faceAnswer, FaceAnswer, FaceBody, readFace } from './face-answer.ts';
import { noSuchPerson, PERSON_ACCESS, PersonPath } from '../person-answer.ts';

export const postFace = route({
  method: 'post',
  path: '/person/:id/face',
  operationId: 'reportFace',
  tag: 'Faces',
  summary: 'Report a face that may show a person',
  description:
    'The service determines the match type, unless `FaceMatchType` gives the decision of a reviewer. If this ' +
    'person already has a face with the same `SourceId`, that face is returned unchanged.',
  access: PERSON_ACCESS,
  params: PersonPath,
  body: FaceBody,
  response: FaceAnswer,
  status: {
    200: 'The face is already known',
    201: 'Success',
    204: 'The face does not match the person and is not stored',
  },
  errors: ['not_found', 'conflict'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const reported = await reportFaceOf(
      deps,
      { personId: params.id, similarity: body.Similarity, face: readFace(body) },
      body.FaceMatchType,
      { caller, origin: request },
    );
    switch (reported.kind) {
      case 'kept':
        return reply({ status: reported.isNew ? 201 : 200, body: faceAnswer(reported.face) });
      case 'not_kept':
        return reply({ status: 204 });
      case 'unknown_person':
        throw noSuchPerson(refuse);
      case 'confirmed_elsewhere':
        throw refuse('conflict', 'The face is confirmed for another person');
    }
  },
});
