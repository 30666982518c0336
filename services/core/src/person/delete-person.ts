import { actorOf, deletePerson as removePerson } from '@gatehouse/accounts';
import { route } from '../deps.ts';
import { matcherOf } from './etag.ts';
import { noSuchPerson, PERSON_ACCESS, PersonPath } from './person-answer.ts';

export const deletePerson = route({
  method: 'delete',
  path: '/person/:id',
  operationId: 'deletePerson',
  tag: 'Persons',
  summary: 'Delete a person permanently',
  description:
    'Also deletes the faces of the person and all review decisions. Supports `If-Match`, like PUT.',
  access: PERSON_ACCESS,
  params: PersonPath,
  headers: { request: { 'If-Match': 'The `ETag` of the version to delete; another version is refused' } },
  errors: ['not_found', 'precondition_failed'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const isExpected = matcherOf(request.headers['if-match']);
    const by = { actor: actorOf(caller), origin: request };
    const outcome = await removePerson(deps, { id: params.id, isExpected }, by);
    switch (outcome.kind) {
      case 'deleted':
        return undefined;
      case 'unknown':
        throw noSuchPerson(refuse);
      case 'changed_since':
        throw refuse('precondition_failed');
    }
  },
});
