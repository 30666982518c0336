import { persons } from '@gatehouse/db';
import { reply } from '@gatehouse/http';
import { route } from '../deps.ts';
import { etagOf } from './etag.ts';
import { noSuchPerson, PERSON_ACCESS, PersonAnswer, personAnswer, PersonPath } from './person-answer.ts';

export const getPerson = route({
  method: 'get',
  path: '/person/:id',
  operationId: 'getPerson',
  tag: 'Persons',
  summary: 'Get a person with face counts by type',
  description: 'Send the `ETag` as `If-Match` with PUT and DELETE. It does not cover the counts.',
  access: PERSON_ACCESS,
  params: PersonPath,
  response: PersonAnswer,
  headers: { response: { ETag: 'The version of the person, for `If-Match`' } },
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const person = await persons.findById(deps.db, params.id);
    if (person === undefined) throw noSuchPerson(refuse);
    return reply({ headers: { ETag: etagOf(person) }, body: personAnswer(person) });
  },
});
