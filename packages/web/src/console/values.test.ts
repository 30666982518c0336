import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { callbackAt, PRESETS, SETTINGS_FOR } from './applications/presets.ts';
import type { CallApi } from './api/call-api.ts';
import { findOwner, shownOwner } from './content/find-owner.ts';
import { csvOf } from './export/csv.ts';
import { differenceOf } from './kit/difference.ts';
import { beginOfWeeks, changeOf, weeksOf } from './overview/weeks.ts';
import { SessionStatus } from 'gatehouse-client';
import { isOfEnded } from './sessions/session-filter.ts';
import { bulkFilterOf, type Filter, queryOf } from './ui/filters.ts';
import { ageOf } from './ui/typed.ts';
import { groupsOf, isIncluded, toggled } from './webhooks/event-groups.ts';

const ADDRESSES = {
  grafana: 'https://grafana.example.com',
  gitlab: 'https://gitlab.example.com',
  'oauth2-proxy': 'https://wiki.example.com',
  nextcloud: 'https://cloud.example.com',
};

describe('the settings that the console shows for an application', () => {
  for (const preset of PRESETS) {
    if (preset === 'custom') continue;
    it(`are those of docs/applications/${preset}.md`, () => {
      const page = new URL(`../../../../docs/applications/${preset}.md`, import.meta.url);
      const documented = new Set(readFileSync(page, 'utf8').split('\n'));
      const shown = SETTINGS_FOR[preset]({
        issuer: 'https://auth.example.com',
        pagesUrl: 'https://auth.example.com',
        clientId: '0198a2f4-6f3c-7a10-9c2e-5f1d2b7c9e01',
        secret: 'gcs_…',
        redirectUri: callbackAt(preset, ADDRESSES[preset]),
        isPublic: false,
      });
      const missing = shown.split('\n').filter((line) => !documented.has(line));
      assert.deepEqual(missing, []);
    });
  }
});

describe('the owner in the dialog for content', () => {
  const [id, other] = ['0198f4a1-0000-7000-8000-000000000001', '0198f4a1-0000-7000-8000-000000000002'];
  /** An API that knows one account besides the owner. */
  const callApi = ((_: string, { query }: { query: { email: string } }) =>
    Promise.resolve({
      ok: true,
      value: { Items: query.email === 'bob@example.com' ? [{ Id: other }] : [] },
    })) as unknown as CallApi; // the only call that is used

  for (const email of ['ann@example.com', undefined]) {
    const owner = { id, email };
    const how = email === undefined ? 'whose email is unknown' : 'whose email is known';
    const found = async (typed: string) => {
      const result = await findOwner(callApi, typed, owner);
      return result.ok ? result.value : result.problem.errors[0]?.code;
    };

    it(`stays, is removed by emptying the field, or is replaced by an account that exists (one ${how})`, async () => {
      assert.equal(await found(shownOwner(owner)), id);
      assert.notEqual(shownOwner(owner), '');
      assert.equal(await found(' '), null);
      assert.equal(await found('bob@example.com'), other);
      assert.equal(await found('nobody@example.com'), 'unknown_object');
    });
  }

  it('stays if its email becomes known while the field shows the id', async () => {
    const owner = { id, email: 'ann@example.com' };
    assert.deepEqual(await findOwner(callApi, id, owner), { ok: true, value: id });
  });

  it('may be nobody', async () => {
    assert.deepEqual(await findOwner(callApi, '', undefined), { ok: true, value: null });
  });
});

describe('CSV', () => {
  it('has a header, and keeps commas, quotes and line breaks within cells', () => {
    const rows = [
      { Name: 'Ann, "the boss"', Notes: 'one\ntwo' },
      { Name: '', Notes: 'x' },
    ];
    assert.equal(csvOf(rows), '"Name","Notes"\r\n"Ann, ""the boss""","one\ntwo"\r\n"","x"\r\n');
  });

  it('escapes spreadsheet formulas', () => {
    for (const begin of ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'])
      assert.equal(csvOf([{ Name: `${begin}1` }]), `"Name"\r\n"'${begin}1"\r\n`);
    assert.equal(csvOf([{ Name: '1=2' }]), '"Name"\r\n"1=2"\r\n');
  });
});

describe('difference between a change and its preview', () => {
  const seen = (count: number, from = 0) => Array.from({ length: count }, (_, at) => String(from + at));

  it('is empty if both list the same, in any order', () => {
    const preview = seen(300);
    assert.deepEqual(differenceOf(preview, preview.toReversed()), { left: [], more: [] });
  });

  it('contains missing and additional items', () => {
    const { left, more } = differenceOf(seen(300), seen(300, 10));
    assert.deepEqual(left, seen(10));
    assert.deepEqual(more, seen(10, 300));
  });
});

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

describe('a filter of sessions', () => {
  it('is known to select ended sessions, or others', () => {
    assert.equal(isOfEnded({ Status: SessionStatus.Deactivated }), true);
    assert.equal(isOfEnded({ Status: SessionStatus.Normal }), false);
    assert.equal(isOfEnded({}), false);
  });
});

describe('the filters of a list', () => {
  const filters: readonly Filter[] = [
    { name: 'role', label: 'accounts.role' },
    { name: 'loginStatus', label: 'accounts.condition', type: 'number' },
    { name: 'hasTwoFactor', label: 'accounts.twoFactor', type: 'boolean' },
    { name: 'createdFrom', label: 'accounts.createdFrom', type: 'datetime-local' },
  ];

  it('are none if the URL has none', () => {
    assert.equal(bulkFilterOf(filters, {}), undefined);
    assert.equal(bulkFilterOf(filters, { cursor: 'abc', role: '' }), undefined);
  });

  it('are the same for the list and for a bulk change', () => {
    const values = {
      role: 'User',
      loginStatus: '3',
      hasTwoFactor: 'false',
      createdFrom: '2026-01-02T03:04Z',
    };
    const createdFrom = '2026-01-02T03:04:00.000Z';
    assert.deepEqual(queryOf(filters, values), { ...values, createdFrom });
    assert.deepEqual(bulkFilterOf(filters, values), {
      Role: 'User',
      LoginStatus: 3,
      HasTwoFactor: false,
      CreatedFrom: createdFrom,
    });
  });

  it('do not turn invalid values into valid ones', () => {
    assert.deepEqual(bulkFilterOf(filters, { hasTwoFactor: 'maybe', createdFrom: 'soon' }), {
      HasTwoFactor: 'maybe',
      CreatedFrom: 'soon',
    });
  });
});

describe('ageOf', () => {
  it('uses the largest unit that the seconds fill, in the language of the page', () => {
    const ages = [0, 59.9, 60, 948, 3_599, 7_200, 86_400].map((seconds) => ageOf(seconds, 'en'));
    const expected = ['0 seconds', '59 seconds', '1 minute', '15 minutes', '59 minutes', '2 hours', '1 day'];
    assert.deepEqual(ages, expected);
    assert.equal(ageOf(948, 'de'), '15 Minuten');
  });
});

describe('the choice of event types', () => {
  it('groups them by subject', () => {
    const types = ['guest.invited', 'session.ended', 'guest.removed'];
    assert.deepEqual(groupsOf(types), [
      { subject: 'guest', types: ['guest.invited', 'guest.removed'] },
      { subject: 'session', types: ['session.ended'] },
    ]);
  });

  it('keeps a group or all instead of what they stand for', () => {
    const some = new Set(['guest.invited', 'session.ended']);
    const group = toggled(some, 'guest.*', true);
    assert.deepEqual([...group], ['session.ended', 'guest.*']);
    assert.equal(isIncluded(group, 'guest.invited'), true);
    assert.equal(isIncluded(group, 'guest.*'), false);
    const all = toggled(group, '*', true);
    assert.deepEqual([...all], ['*']);
    assert.equal(isIncluded(all, 'guest.*'), true);
    assert.equal(isIncluded(all, '*'), false);
    assert.deepEqual([...toggled(all, '*', false)], []);
  });
});
