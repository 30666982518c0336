import { countRows, nameKeyOf } from '@gatehouse/accounts';
import { persons } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { Text, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { PERSON_ACCESS, PersonAnswer, personAnswer } from './person-answer.ts';

const paging = pagingById('PersonId');

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
  handler: ({ query, deps, request }) => {
    const filter = { search: nameKeyOf(query.search ?? '') || undefined };
    return paging.answer(query, {
      find: (page) => persons.findNewest(deps.db, filter, page),
      count: () => countRows(deps, persons.rowsOf(filter), request),
      items: (rows) => rows.map(personAnswer),
    });
  },
});
