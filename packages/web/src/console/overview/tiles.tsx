import { formatted, pageData } from '../../ui/locale.ts';
import { type Answer, useQuery } from '../api/call-api.ts';
import { type TextKey, words } from '../text.ts';
import { ageOf } from '../ui/typed.ts';
import styles from './tiles.module.css';
import { beginOfWeeks, changeOf, type Weeks, weeksOf } from './weeks.ts';

export type Now = Answer<'GET /admin/statistics/now'>;

interface Tile {
  name: TextKey;
  count: number;
  /** The count is an estimate. */
  isAbout?: boolean;
  /** The list of the counted objects, if there is one. */
  path?: string;
  more?: string | undefined;
  week?: TextKey;
  trend?: Trend | undefined;
}

/** What happened in a week, and whether more of it is good news. */
type Trend = Weeks & { moreIs: 'good' | 'bad' };

export function Tiles({ now }: { now: Now }) {
  const trends = useTrends();
  return (
    <ul class={styles['tiles']} aria-label={words('overview.now')}>
      {tilesOf(now, trends).map((tile) => (
        <li key={tile.name}>
          {tile.path === undefined ? (
            <div class={styles['tile']}>
              <TileWords tile={tile} />
            </div>
          ) : (
            <a class={styles['tile']} href={`/console/${tile.path}`}>
              <TileWords tile={tile} />
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

function TileWords({ tile: { name, count, isAbout = false, more, week, trend } }: { tile: Tile }) {
  const shown = formatted(count);
  return (
    <>
      <span class={styles['name']}>{words(name)}</span>
      <span class={[styles['count'], count === 0 && styles['zero']].filter(Boolean).join(' ')}>
        {isAbout ? words('overview.about', { count: shown }) : shown}
      </span>
      {more !== undefined && <span class={styles['more']}>{more}</span>}
      {trend && week && (
        <span class={styles['more']}>
          {words(week, { count: formatted(trend.now) })} <Delta trend={trend} />
        </span>
      )}
      {trend && trend.now > 0 && <Sparkline counts={trend.days} />}
    </>
  );
}

/** The change against the week before. */
function Delta({ trend }: { trend: Trend }) {
  const change = changeOf(trend);
  if (change === undefined) return null;
  const isMore = change > 0;
  const share = formatted(Math.abs(change), { style: 'percent' });
  return (
    <span class={styles[isMore === (trend.moreIs === 'good') ? 'good' : 'bad']}>
      <span aria-hidden="true">{isMore ? '↑' : '↓'} </span>
      {share} <span class="only-read">{words(isMore ? 'overview.more' : 'overview.less')}</span>
    </span>
  );
}

/** The course of a week in a line, which only repeats its numbers. */
function Sparkline({ counts }: { counts: readonly number[] }) {
  const most = Math.max(...counts, 1);
  const points = counts.map(
    (count, day) => `${(day / (counts.length - 1)) * 100},${23 - (count / most) * 22}`,
  );
  return (
    <svg class={styles['course']} viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}

function tilesOf(now: Now, trends: Trends): Tile[] {
  const oldest = (seconds: number) =>
    seconds > 0 ? words('overview.oldest', { age: ageOf(seconds, pageData.Locale) }) : undefined;
  return [
    {
      name: 'overview.accounts',
      count: now.Accounts,
      isAbout: !now.AccountsIsExact,
      path: 'accounts',
      more: words('overview.admins', { count: formatted(now.ByRole.Admin) }),
      week: 'overview.trend.accounts',
      trend: trends.accounts,
    },
    {
      name: 'overview.sessions',
      count: now.SessionsActive,
      path: 'sessions?status=1',
      week: 'overview.trend.sessions',
      trend: trends.sessions,
    },
    {
      name: 'overview.throttled',
      count: now.Throttled,
      path: 'accounts?isThrottled=true',
      week: 'overview.trend.refused',
      trend: trends.refused,
    },
    {
      name: 'overview.twoFactor',
      count: now.TwoFactor,
      path: 'accounts?hasTwoFactor=true',
      more: words('overview.passkeys', { count: formatted(now.Passkeys) }),
    },
    {
      name: 'overview.online',
      count: now.Online,
      path: 'sessions?isOnline=true',
      more: words('overview.online.late'),
    },
    { name: 'overview.invitations', count: now.Invitations, path: 'invitations' },
    {
      name: 'overview.waiting',
      count: now.MailsWaiting,
      path: 'mails?status=Retrying',
      more: oldest(now.MailsOldestSeconds),
    },
    { name: 'overview.outbox', count: now.OutboxWaiting, more: oldest(now.OutboxOldestSeconds) },
  ];
}

/** The kinds of docs/statistics.md whose counts in a week are compared with those of the week before. */
const KINDS = {
  accounts: /^(?:registration|invitation\.accepted)$/,
  sessions: /^login\./,
  refused: /^refused\./,
};

type Trends = Partial<Record<keyof typeof KINDS, Trend>>;

function useTrends(): Trends {
  const begin = beginOfWeeks(Date.now());
  const from = new Date(begin).toISOString();
  const { data } = useQuery('GET /admin/statistics', { query: { from, interval: 'hour' } });
  if (data === undefined) return {};
  const trend = (name: keyof typeof KINDS, moreIs: Trend['moreIs']): Trend => ({
    ...weeksOf(data.Series, KINDS[name], begin),
    moreIs,
  });
  return {
    accounts: trend('accounts', 'good'),
    sessions: trend('sessions', 'good'),
    refused: trend('refused', 'bad'),
  };
}
