import { actorOf, createPerson } from '@gatehouse/accounts';
import { reply } from '@gatehouse/http';
import { route } from '../deps.ts';
import { etagOf } from './etag.ts';
import {
  nameTaken,
  PERSON_ACCESS,
  PersonAnswer,
  personAnswer,
  PersonBody,
  readPerson,
} from './person-answer.ts';

export const postPerson = route({
  method: 'post',
  path: '/person',
  operationId: 'createPerson',
  tag: 'Persons',
  summary: 'Create a person',
  access: PERSON_ACCESS,
  body: PersonBody,
  response: PersonAnswer,
  headers: {
    response: { Location: 'The URL of the person', ETag: 'The version of the person, for `If-Match`' },
  },
  status: 201,
  errors: ['name_taken'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const by = { actor: actorOf(caller), origin: request };
    const outcome = await createPerson(deps, readPerson(body), by);
    switch (outcome.kind) {
      case 'saved': {
        const { person } = outcome;
        return reply({
          headers: { Location: `/person/${person.id}`, ETag: etagOf(person) },
          body: personAnswer(person),
        });
      }
      case 'name_taken':
        throw nameTaken(refuse);
    }
  },
});
