import assert from 'node:assert/strict';
import { readItems } from '@gatehouse/codegen';
import { END_REASONS } from '@gatehouse/schema';

describe('docs/sessions.md', () => {
  it('lists every reason for which sessions end', () => {
    const documented = readItems('docs/sessions.md', 'end-reasons').map(([reason]) => reason);
    assert.deepEqual(new Set(documented), new Set(END_REASONS));
  });
});
