import { actorOf } from '@gatehouse/accounts';
import { audit, inTransaction, outbox, persons } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { reply } from '@gatehouse/http';
import { v7 as newId } from 'uuid';
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
  responseHeaders: { Location: 'The URL of the person', ETag: 'The version of the person, for `If-Match`' },
  status: 201,
  errors: ['name_taken'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const given = { id: newId(), ...readPerson(body) };
    const added = await inTransaction(deps.db, request, async (tx) => {
      const person = await persons.insert(tx, given);
      if (person === undefined) return undefined;
      const target = { kind: 'Person', id: person.id } as const;
      await audit.append(tx, [{ action: 'person.created', actor: actorOf(caller), target }], request);
      const { traceId } = request;
      await outbox.add(tx, [newEvent('person.created', { PersonId: person.id }, { traceId })]);
      return person;
    });
    if (added === undefined) throw nameTaken(refuse);
    deps.relay.wake();
    return reply({
      headers: { Location: `/person/${added.id}`, ETag: etagOf(added) },
      body: personAnswer(added),
    });
  },
});
