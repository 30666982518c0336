import { actorOf, write, type Author } from '@gatehouse/accounts';
import type { Caller } from '@gatehouse/auth-core';
import { contains } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { type ApiError, invalidField, type Refuse, reply, type RequestFacts } from '@gatehouse/http';
import { by, where } from '@gatehouse/kit';
import { Nullable, Prose, Text, Type, type Static } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { list, routeOf, routes } from '../deps.ts';
import { nameKeyOf, PersonName, readName } from './person-name.ts';
import { removePerson } from './purge.ts';
import { insertPerson, lockPerson, Person, updatePerson, VersionedPerson } from './store.ts';

/** The roles that can be allowed to manage persons; `PERSON_ROLES` selects from them. Guests never may. */
export const PERSON_ACCESS = ['User', 'Admin', 'Service'] as const;

export type PersonRole = (typeof PERSON_ACCESS)[number];

/** Parses `PERSON_ROLES`, ignoring case; `undefined` if it is empty or contains an unknown role. */
export function readPersonRoles(text: string): [PersonRole, ...PersonRole[]] | undefined {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const roles = PERSON_ACCESS.filter((role) => names.includes(role.toLowerCase()));
  const [first, ...others] = roles;
  const areKnown = names.every((name) => PERSON_ACCESS.some((role) => role.toLowerCase() === name));
  return first === undefined || !areKnown ? undefined : [first, ...others];
}

/** A person in requests: complete, so an omitted field is empty. */
const PersonBody = Type.Object({
  Name: PersonName(),
  Notes: Type.Optional(Nullable(Prose(4000))),
  ExternalId: Type.Optional(
    Nullable(Text(200, { description: 'The identifier of the person in another system' })),
  ),
});

const ETag = 'The version of the person, for `If-Match`';
const search = { ...by(Text(200, { minLength: 0 })), read: (text: string) => nameKeyOf(text) || undefined };

const route = routeOf({ access: PERSON_ACCESS });

export const personRoutes = routes({ tag: 'Persons', access: PERSON_ACCESS }, [
  route('POST /person', {
    operationId: 'createPerson',
    summary: 'Create a person',
    body: PersonBody,
    response: Person.Answer,
    headers: { response: { Location: 'The URL of the person', ETag } },
    status: 201,
    errors: ['name_taken'],
    handler: async ({ body, caller, deps, request, refuse }) => {
      const id = newId();
      const fields = readPerson(body);
      return write(deps, authorOf(caller, request, id), async (tx) => {
        const person = await insertPerson(tx, { id, ...fields });
        if (person === undefined) throw nameTaken(refuse);
        tx.audit('person.created');
        tx.event(newEvent('person.created', { PersonId: id }, { traceId: request.traceId }));
        return reply({
          headers: { Location: `/person/${id}`, ETag: etagOf(person) },
          body: Person.answer(person),
        });
      });
    },
  }),

  list(Person, 'GET /person', {
    description:
      '`search` matches part of the name, normalized in the same way as names; with one or two letters it matches ' +
      'only the beginning of a word. With a large number of persons, a page of results can contain fewer than ' +
      '`limit` items, or none, and still have a `NextCursor`.',
    filters: { search: where(search, contains('name_key', 'cast(:part as text)')) },
    sieved: ['name_key'],
  }),

  route('GET /person/:id', {
    operationId: 'getPerson',
    summary: 'Get a person with face counts by type',
    description: 'Send the `ETag` as `If-Match` with PUT and DELETE. It does not cover the counts.',
    response: Person.Answer,
    headers: { response: { ETag } },
    errors: ['not_found'],
    handler: async ({ params, deps, refuse }) => {
      const person = await VersionedPerson.find(deps.db, params.id);
      if (person === undefined) throw noSuchPerson(refuse);
      return reply({ headers: { ETag: etagOf(person) }, body: Person.answer(person) });
    },
  }),

  route('PUT /person/:id', {
    operationId: 'updatePerson',
    summary: 'Replace a person',
    description:
      'Fields omitted from the body are cleared. With `If-Match` (the `ETag` of an earlier response), the request ' +
      'fails if the person has been changed since.',
    body: PersonBody,
    response: Person.Answer,
    headers: {
      request: { 'If-Match': 'The `ETag` of the version to change; another version is refused' },
      response: { ETag },
    },
    errors: ['not_found', 'name_taken', 'precondition_failed'],
    handler: async ({ params: { id }, body, caller, deps, request, refuse }) => {
      const fields = readPerson(body);
      return write(deps, authorOf(caller, request, id), async (tx) => {
        const before = await lockPerson(tx, id);
        if (before === undefined) throw noSuchPerson(refuse);
        if (!isExpected(before, request)) throw refuse('precondition_failed');
        const person = await updatePerson(tx, { id, ...fields });
        if (person === undefined) throw nameTaken(refuse);
        const names = { Name: 'name', Notes: 'notes', ExternalId: 'externalId' } as const;
        const changed = Object.entries(names).filter(([, field]) => before[field] !== person[field]);
        // Without the values, because the audit outlives the person.
        tx.audit('person.changed', { Fields: changed.map(([name]) => name) });
        tx.event(newEvent('person.updated', { PersonId: id }, { traceId: request.traceId }));
        return reply({ headers: { ETag: etagOf(person) }, body: Person.answer(person) });
      });
    },
  }),

  route('DELETE /person/:id', {
    operationId: 'deletePerson',
    summary: 'Delete a person permanently',
    description:
      'Also deletes the faces of the person and all review decisions. Supports `If-Match`, like PUT.',
    headers: { request: { 'If-Match': 'The `ETag` of the version to delete; another version is refused' } },
    errors: ['not_found', 'precondition_failed'],
    handler: async ({ params: { id }, caller, deps, request, refuse }) =>
      write(deps, authorOf(caller, request, id), async (tx) => {
        const person = await lockPerson(tx, id);
        if (person === undefined) throw noSuchPerson(refuse);
        if (!isExpected(person, request)) throw refuse('precondition_failed');
        await removePerson(tx, id);
        tx.audit('person.deleted');
        tx.event(newEvent('person.deleted', { PersonId: id }, { traceId: request.traceId }));
        return undefined;
      }),
  }),
]);

function authorOf(caller: Caller, request: RequestFacts, id: string): Author {
  return { actor: actorOf(caller), origin: request, target: { kind: 'Person', id } };
}

/** Of the editable fields: a newly reported face, which changes the counts, does not invalidate an edit. */
function etagOf({ version }: Person): string {
  return `"${version}"`;
}

/**
 * Whether a person is in the state that the caller of a change has seen (RFC 9110 §13.1.1): one of the tags in `If-Match`
 * matches by strong comparison; `*` matches any existing person. Without the header every state matches.
 */
function isExpected(person: Person, { headers: { 'if-match': ifMatch } }: RequestFacts): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return ifMatch
    .split(',')
    .map((tag) => tag.trim())
    .includes(etagOf(person));
}

/** @throws {ApiError} 400 for an invalid name. */
function readPerson(body: Static<typeof PersonBody>) {
  const named = readName(body.Name);
  if (named !== undefined)
    return { ...named, notes: body.Notes ?? null, externalId: body.ExternalId ?? null };
  const message = 'must have 1 to 200 characters, not counting leading and trailing spaces';
  throw invalidField('/Name', message, 'malformed');
}

export function noSuchPerson(refuse: Refuse<'not_found'>): ApiError {
  return refuse('not_found', 'Person not found');
}

function nameTaken(refuse: Refuse<'name_taken'>): ApiError {
  return refuse('name_taken', 'Another person already has this name', {
    errors: [{ pointer: '/Name', message: 'is already in use', code: 'taken' }],
  });
}
