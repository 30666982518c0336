import assert from 'node:assert/strict';
import { beginOfWeeks, weeksOf } from './weeks.ts';

const NOW = Date.parse('2026-03-15T10:20:00Z');

describe('the last seven days on the overview', () => {
  it('include the present hour, and are compared with the seven days before', () => {
    const begin = beginOfWeeks(NOW);
    assert.equal(new Date(begin).toISOString(), '2026-03-01T11:00:00.000Z');
    const at = (time: string, count: number) => ({
      At: `2026-03-${time}:00:00Z`,
      Counts: { 'login.password': count },
    });
    const series = [at('01T11', 1), at('08T10', 2), at('08T11', 4), at('14T11', 8), at('15T10', 16)];
    const other = { At: '2026-03-15T10:00:00Z', Counts: { 'refused.password': 32 } };
    assert.deepEqual(weeksOf([...series, other], /^login\./, begin), {
      now: 28,
      before: 3,
      days: [4, 0, 0, 0, 0, 0, 24],
    });
  });
});
