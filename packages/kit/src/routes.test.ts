import { Type, Uuid } from '@gatehouse/schema';
import type { AccountsDeps } from '@gatehouse/accounts';
import { by } from './filters.ts';
import { record, sql, time } from './record.ts';
import { kit } from './routes.ts';

const { changes, creates, list } = kit<AccountsDeps>();
const Note = record(
  'note',
  { id: Uuid(), text: Type.String(), createdAt: time() },
  { name: 'Webhook', hidden: ['seal'] },
);
const about = { operationId: 'changeNote', summary: 'Change a note', recent: { never: 'a test' } } as const;

// What must not compile: `npm run check` says if it does.
describe('the types of the kit', () => {
  it('refuse a refusal that the route does not declare', () => {
    changes(Note, 'PATCH /note/:id', {
      ...about,
      errors: ['name_taken'],
      run: ({ before, refuse }) => {
        if (before.text === '') throw refuse('name_taken');
        // @ts-expect-error -- not one of its errors
        if (before.text === 'x') throw refuse('conflict');
        return { row: before };
      },
    });
  });

  it('refuse fields that the record or the body does not have, and values of another type', () => {
    creates(Note, 'POST /note', {
      recent: { never: 'a test' },
      body: { Text: Type.String() },
      run: async ({ tx, id, body }) => {
        await Note.insert(tx, { id, text: body.Text, seal: 'x', createdAt: sql`now()` });
        // @ts-expect-error -- no field of the body
        await Note.insert(tx, { id, text: body.Name });
        // @ts-expect-error -- no column of the record
        await Note.insert(tx, { id, name: body.Text });
        // @ts-expect-error -- another type
        return { row: await Note.insert(tx, { id, text: 7 }) };
      },
    });
    list(Note, 'GET /note', {
      filters: { text: by(Type.String()) },
      items: (rows) =>
        // @ts-expect-error -- no field of a row
        Promise.resolve(rows.map(({ name }) => ({ Name: name as string }))),
    });
  });

  it('refuse an answer that does not have the form of its schema', () => {
    changes(Note, 'POST /note/:id/seal', {
      ...about,
      also: { Seal: Type.String() },
      // @ts-expect-error -- without its seal
      run: ({ before }) => ({ row: before }),
    });
    changes(Note, 'POST /note/:id/seal', {
      ...about,
      response: { Seal: Type.String() },
      // @ts-expect-error -- another type
      run: () => ({ Seal: 7 }),
    });
  });
});
