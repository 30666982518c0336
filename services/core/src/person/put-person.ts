import { actorOf } from '@gatehouse/accounts';
import { audit, inTransaction, outbox, persons, type Person } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { reply } from '@gatehouse/http';
import { route } from '../deps.ts';
import { etagOf, requireMatch } from './etag.ts';
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
  requestHeaders: { 'If-Match': 'The `ETag` of the version to change; another version is refused' },
  responseHeaders: { ETag: 'The version of the person, for `If-Match`' },
  errors: ['not_found', 'name_taken', 'precondition_failed'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const given = readPerson(body);
    const changed = await inTransaction(deps.db, request, async (tx) => {
      const before = await persons.lock(tx, params.id);
      if (before === undefined) throw noSuchPerson(refuse);
      requireMatch(refuse, request.headers['if-match'], before);
      const after = await persons.update(tx, { id: before.id, ...given });
      if (after === undefined) throw nameTaken(refuse);
      const target = { kind: 'Person', id: after.id } as const;
      const details = { Fields: fieldsChanged(before, after) };
      await audit.append(
        tx,
        [{ action: 'person.changed', actor: actorOf(caller), target, details }],
        request,
      );
      const { traceId } = request;
      await outbox.add(tx, [newEvent('person.updated', { PersonId: after.id }, { traceId })]);
      return after;
    });
    deps.relay.wake();
    return reply({ headers: { ETag: etagOf(changed) }, body: personAnswer(changed) });
  },
});

/** What was changed by its names alone: the audit outlives the person. */
function fieldsChanged(before: Person, after: Person): string[] {
  const fields = { Name: 'name', Notes: 'notes', ExternalId: 'externalId' } as const;
  return Object.entries(fields).flatMap(([name, field]) => (before[field] === after[field] ? [] : [name]));
}
