import { faces, persons } from '@gatehouse/db';
import { FaceMatchType } from '@gatehouse/events';
import { createPaging, Page, pagingQuery } from '@gatehouse/http';
import { OneOf, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { faceAnswer, FaceAnswer } from './face-answer.ts';
import { noSuchPerson, PERSON_ACCESS, PersonPath } from '../person-answer.ts';

const paging = createPaging(Type.Object({ FaceId: Uuid() }));

export const listFaces = route({
  method: 'get',
  path: '/person/:id/:faceMatchType',
  operationId: 'listFaces',
  tag: 'Faces',
  summary: 'List the faces of a person by match type, newest first',
  access: PERSON_ACCESS,
  params: Type.Object({ ...PersonPath.properties, faceMatchType: OneOf(FaceMatchType) }),
  query: Type.Object(pagingQuery()),
  response: Page(FaceAnswer),
  errors: ['not_found'],
  handler: async ({ params, query, deps, refuse }) => {
    const beforeId = paging.read(query.cursor)?.FaceId;
    const person = await persons.findById(deps.db, params.id);
    if (person === undefined) throw noSuchPerson(refuse);
    const rows = await faces.findNewest(deps.db, {
      personId: person.id,
      type: params.faceMatchType,
      beforeId,
      max: query.limit + 1,
    });
    const key = ({ faceId }: { faceId: string }) => ({ FaceId: faceId });
    return paging.page(rows, query.limit, { key, item: faceAnswer });
  },
});
