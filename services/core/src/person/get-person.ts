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
  summary: 'Show a person, with how many faces of each type there are',
  description: 'The `ETag` is for `If-Match` of PUT and DELETE. The counts are not in it.',
  access: PERSON_ACCESS,
  params: PersonPath,
  response: PersonAnswer,
  responseHeaders: { ETag: 'The version of the person, for `If-Match`' },
  errors: ['not_found'],
  handler: async ({ params, deps }) => {
    const person = await persons.findById(deps.db, params.id);
    if (person === undefined) throw noSuchPerson();
    return reply({ headers: { ETag: etagOf(person) }, body: personAnswer(person) });
  },
});
