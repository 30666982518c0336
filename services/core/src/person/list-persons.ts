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
  access: PERSON_ACCESS,
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    search: Type.Optional(Text(200, { minLength: 0, description: 'Matches part of the name' })),
  }),
  response: CountedPage(PersonAnswer),
  handler: async ({ query, deps, request }) => {
    const beforeId = paging.read(query.cursor)?.PersonId;
    const search = nameKeyOf(query.search ?? '');
    const [rows, counted] = await Promise.all([
      persons.findNewest(deps.db, { search, beforeId, max: query.limit + 1 }),
      query.count === true ? countRows(deps, persons.rowsOf(search), request) : undefined,
    ]);
    const key = ({ id }: { id: string }) => ({ PersonId: id });
    return { ...paging.page(rows, query.limit, { key, item: personAnswer }), ...countFields(counted) };
  },
});
