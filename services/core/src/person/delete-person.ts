import { actorOf } from '@gatehouse/accounts';
import { audit, inTransaction, outbox, personPurges, persons } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { route } from '../deps.ts';
import { requireMatch } from './etag.ts';
import { noSuchPerson, PERSON_ACCESS, PersonPath } from './person-answer.ts';
import { FACES_AT_ONCE } from './face/purge-faces.ts';

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
  requestHeaders: { 'If-Match': 'The `ETag` of the version to delete; another version is refused' },
  errors: ['not_found', 'precondition_failed'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    await inTransaction(deps.db, request, async (tx) => {
      const person = await persons.lock(tx, params.id);
      if (person === undefined) throw noSuchPerson(refuse);
      requireMatch(refuse, request.headers['if-match'], person);
      const removed = await personPurges.removeFaces(tx, person.id, FACES_AT_ONCE);
      if (removed === FACES_AT_ONCE) await personPurges.insert(tx, person.id);
      await persons.remove(tx, person.id);
      const target = { kind: 'Person', id: person.id } as const;
      await audit.append(tx, [{ action: 'person.deleted', actor: actorOf(caller), target }], request);
      const { traceId } = request;
      await outbox.add(tx, [newEvent('person.deleted', { PersonId: person.id }, { traceId })]);
    });
    deps.relay.wake();
    return undefined;
  },
});
