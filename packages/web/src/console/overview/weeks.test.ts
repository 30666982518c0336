import assert from 'node:assert/strict';
import { beginOfWeeks, changeOf, weeksOf } from './weeks.ts';

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

  it('have changed by whole percents, else not at all', () => {
    const changes = [
      [150, 100],
      [99, 100],
      [1004, 1000],
      [996, 1000],
      [7, 0],
    ].map(([now = 0, before = 0]) => changeOf({ now, before }));
    assert.deepEqual(changes, [0.5, -0.01, undefined, undefined, undefined]);
  });
});
