import { countRows, nameKeyOf } from '@gatehouse/accounts';
import { persons } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { Text, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { PERSON_ACCESS, PersonAnswer, personAnswer } from './person-answer.ts';

const paging = createPaging(Type.Object({ PersonId: Uuid() }));

export const listPersons = route({
  method: 'get',
  path: '/person',
  operationId: 'listPersons',
  tag: 'Persons',
  summary: 'List persons, newest first',
  description:
    '`search` matches part of the name, normalized in the same way as names; with one or two letters it matches ' +
    'only the beginning of a word. With a large number of persons, a page of results can contain fewer than ' +
    '`limit` items, or none, and still have a `NextCursor`.',
  access: PERSON_ACCESS,
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    search: Type.Optional(Text(200, { minLength: 0 })),
  }),
  response: CountedPage(PersonAnswer),
  handler: async ({ query, deps, request }) => {
    const page = { beforeId: paging.read(query.cursor)?.PersonId, max: query.limit };
    const search = nameKeyOf(query.search ?? '');
    const [found, counted] = await Promise.all([
      persons.findNewest(deps.db, search, page),
      query.count === true ? countRows(deps, persons.rowsOf(search), request) : undefined,
    ]);
    const { nextBeforeId } = found;
    return {
      Items: found.persons.map(personAnswer),
      ...(nextBeforeId !== undefined && { NextCursor: paging.cursor({ PersonId: nextBeforeId }) }),
      ...countFields(counted),
    };
  },
});
