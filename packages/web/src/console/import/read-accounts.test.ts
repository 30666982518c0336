import assert from 'node:assert/strict';
import { accountOf, guessMapping } from './mapping.ts';
import { readAccounts } from './read-accounts.ts';

const accountsOf = (text: string): unknown[] | undefined => {
  const table = readAccounts(text);
  return table?.rows.map((row) => [row.line, row.values && accountOf(row, guessMapping(table))]);
};

describe('a file of accounts', () => {
  const ann = { Email: 'ann@example.com', DisplayName: 'Ann' };

  it('is CSV, a JSON list or an object a line', () => {
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

  it('is nothing else', () => {
    for (const text of ['', 'email', '[{"Email":', '\n']) assert.equal(readAccounts(text), undefined, text);
  });

  it('has odd names of columns that change nothing', () => {
    const text = '{"__proto__": "x", "constructor": "c", "Email": "a@example.com"}';
    assert.deepEqual(accountsOf(text), [[1, { Email: 'a@example.com' }]]);
  });
});
