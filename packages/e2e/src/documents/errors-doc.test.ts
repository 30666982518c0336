import assert from 'node:assert/strict';
import { readTable } from '@gatehouse/codegen';
import { ERRORS } from '@gatehouse/http';
import { FAULTS } from '@gatehouse/schema';

describe('docs/errors.md', () => {
  it('lists every error code with the status that it has', () => {
    const documented = readTable('docs/errors.md', 'errors').map(([code, status]) => [code, status]);
    const real = Object.entries(ERRORS).map(([code, { status }]) => [code, String(status)]);
    assert.deepEqual(documented, real);
  });

  it('lists the code of every field error with its meaning', () => {
    const documented = readTable('docs/errors.md', 'faults').map(([code, meaning]) => [code, meaning]);
    const real = Object.entries(FAULTS).map(([code, meaning]) => [code, meaning.replaceAll('`', '')]);
    assert.deepEqual(documented, real);
  });

  it('says what a client should do for every code', () => {
    for (const [code, , advice] of readTable('docs/errors.md', 'errors')) assert.ok(advice, code);
  });
});
