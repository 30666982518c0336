import assert from 'node:assert/strict';
import { readPart } from '@gatehouse/codegen';
import { ERRORS } from '@gatehouse/http';
import { FAULTS } from '@gatehouse/schema';

describe('docs/errors.md', () => {
  it('lists every error code with what to do, below the status that it has', () => {
    let status = '';
    const documented = [
      ...readPart('docs/errors.md', 'errors').matchAll(/^### (\d+)$|^- `(\w+)`: \S/gm),
    ].flatMap(([, heading, code]) => {
      status = heading ?? status;
      return code === undefined ? [] : [[code, status]];
    });
    const real = Object.entries(ERRORS).map(([code, { status: own }]) => [code, String(own)]);
    assert.deepEqual(documented, real);
  });

  it('lists the code of every field error with its meaning', () => {
    const documented = [
      ...readPart('docs/errors.md', 'faults').matchAll(/^- `(\w+)`: ((?:.|\n {2})+)/gm),
    ].map(([, code, meaning = '']) => [code, meaning.replaceAll('\n ', '')]);
    assert.deepEqual(documented, Object.entries(FAULTS));
  });
});
