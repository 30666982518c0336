import { actorOf, replacePerson } from '@gatehouse/accounts';
import { reply } from '@gatehouse/http';
import { route } from '../deps.ts';
import { etagOf, matcherOf } from './etag.ts';
import {
  nameTaken,
  noSuchPerson,
  PERSON_ACCESS,
  PersonAnswer,
  personAnswer,
  PersonBody,
  PersonPath,
  readPerson,
} from './person-answer.ts';

export const putPerson = route({
  method: 'put',
  path: '/person/:id',
  operationId: 'updatePerson',
  tag: 'Persons',
  summary: 'Replace a person',
  description:
    'Fields omitted from the body are cleared. With `If-Match` (the `ETag` of an earlier response), the request ' +
    'fails if the person has been changed since.',
  access: PERSON_ACCESS,
  params: PersonPath,
  body: PersonBody,
  response: PersonAnswer,
  headers: {
    request: { 'If-Match': 'The `ETag` of the version to change; another version is refused' },
    response: { ETag: 'The version of the person, for `If-Match`' },
  },
  errors: ['not_found', 'name_taken', 'precondition_failed'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const isExpected = matcherOf(request.headers['if-match']);
    const change = { id: params.id, fields: readPerson(body), isExpected };
    const outcome = await replacePerson(deps, change, { actor: actorOf(caller), origin: request });
    switch (outcome.kind) {
      case 'saved':
        return reply({ headers: { ETag: etagOf(outcome.person) }, body: personAnswer(outcome.person) });
      case 'unknown':
        throw noSuchPerson(refuse);
      case 'changed_since':
        throw refuse('precondition_failed');
      case 'name_taken':
        throw nameTaken(refuse);
    }
  },
});
