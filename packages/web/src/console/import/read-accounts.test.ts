import assert from 'node:assert/strict';
import { accountOf, guessMapping } from './mapping.ts';
import { readAccounts } from './read-accounts.ts';

const accountsOf = (text: string): unknown[] | undefined => {
  const table = readAccounts(text);
  return table?.rows.map((row) => [row.line, row.values && accountOf(row, guessMapping(table))]);
};

describe('a file of accounts', () => {
  const ann = { Email: 'ann@example.com', DisplayName: 'Ann' };

  it('is CSV, a JSON array or JSON lines', () => {
    assert.deepEqual(accountsOf('E-Mail;Full name;Age\r\nann@example.com;Ann;7\r\n\r\nx;;\r\n'), [
      [2, ann],
      [4, { Email: 'x' }],
    ]);
    assert.deepEqual(accountsOf(`[${JSON.stringify(ann)}, 7]`), [
      [1, ann],
      [2, undefined],
    ]);
    assert.deepEqual(
      accountsOf(`${JSON.stringify({ ...ann, more: {} })}\n\n{"Email":\n{"email_address":"y"}`),
      [
        [1, ann],
        [3, undefined],
        [4, {}],
      ],
    );
  });

  it('has groups, as a list or as text with commas', () => {
    const expected = { Email: 'x', Groups: ['editors', 'sales'] };
    for (const text of ['{"Email":"x","groups":["editors","sales"]}', 'Email;Groups\nx;editors, sales'])
      assert.deepEqual(accountsOf(text)?.[0], [text.startsWith('{') ? 1 : 2, expected]);
  });

  it('has no other format', () => {
    for (const text of ['', 'email', '[{"Email":', '\n']) assert.equal(readAccounts(text), undefined, text);
  });

  it('is safe with unusual column names', () => {
    const text = '{"__proto__": "x", "constructor": "c", "Email": "a@example.com"}';
    assert.deepEqual(accountsOf(text), [[1, { Email: 'a@example.com' }]]);
  });
});
