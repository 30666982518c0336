import assert from 'node:assert/strict';
import { END_REASONS } from '@gatehouse/schema';
import { readTable } from './markdown-table.ts';

describe('docs/sessions.md', () => {
  it('lists every reason for which sessions end', () => {
    const documented = readTable('docs/sessions.md', 'end-reasons').map(([reason]) => reason);
    assert.deepEqual(new Set(documented), new Set(END_REASONS));
  });
});
