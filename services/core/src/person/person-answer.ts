import { PersonName, readName } from '@gatehouse/accounts';
import type { Person } from '@gatehouse/db';
import { type ApiError, invalidRequest, type Refuse } from '@gatehouse/http';
import { Nullable, Prose, type Static, Text, Timestamp, Type, Uuid } from '@gatehouse/schema';

const Count = () => Type.Integer({ minimum: 0 });

/** A person in Core's responses. */
export const PersonAnswer = Type.Object(
  {
    Id: Uuid(),
    Name: Type.String(),
    Notes: Nullable(Type.String()),
    ExternalId: Nullable(Type.String()),
    FaceMatchCounts: Type.Object(
      {
        Automatch: Count(),
        ProbableMatch: Count(),
        NotMatch: Count(),
        ConfirmedMatch: Count(),
        Blurry: Count(),
      },
      { title: 'FaceMatchCounts' },
    ),
    CreatedAt: Timestamp(),
    UpdatedAt: Timestamp(),
  },
  { title: 'Person' },
);

/** A person in requests: complete, so an omitted field is empty. */
export const PersonBody = Type.Object({
  Name: PersonName(),
  Notes: Type.Optional(Nullable(Prose(4000))),
  ExternalId: Type.Optional(
    Nullable(Text(200, { description: 'The identifier of the person in another system' })),
  ),
});

/** The parameters of the path. */
export const PersonPath = Type.Object({ id: Uuid() });

/** The roles that can be allowed to manage persons; `PERSON_ROLES` selects from them. Guests never may. */
export const PERSON_ACCESS = ['User', 'Admin', 'Service'] as const;

export function personAnswer(person: Person) {
  return {
    Id: person.id,
    Name: person.name,
    Notes: person.notes,
    ExternalId: person.externalId,
    FaceMatchCounts: {
      Automatch: person.automatch,
      ProbableMatch: person.probableMatch,
      NotMatch: person.notMatch,
      ConfirmedMatch: person.confirmedMatch,
      Blurry: person.blurry,
    },
    CreatedAt: person.createdAt.toISOString(),
    UpdatedAt: person.updatedAt.toISOString(),
  };
}

/** Converts a person to what is stored. @throws {ApiError} 400 for an invalid name. */
export function readPerson(body: Static<typeof PersonBody>) {
  const named = readName(body.Name);
  if (named === undefined) {
    throw invalidRequest(undefined, {
      errors: [
        {
          pointer: '/Name',
          message: 'must have 1 to 200 characters, not counting leading and trailing spaces',
          code: 'malformed',
        },
      ],
    });
  }
  return { ...named, notes: body.Notes ?? null, externalId: body.ExternalId ?? null };
}

export function noSuchPerson(refuse: Refuse<'not_found'>): ApiError {
  return refuse('not_found', 'Person not found');
}

export function nameTaken(refuse: Refuse<'name_taken'>): ApiError {
  return refuse('name_taken', 'Another person already has this name', {
    errors: [{ pointer: '/Name', message: 'is already in use', code: 'taken' }],
  });
}
