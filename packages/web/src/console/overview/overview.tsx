import { formatted, pageData } from '../../ui/locale.ts';
import { type Answer, useQuery } from '../api/call-api.ts';
import { AUDIT_COLUMNS } from '../audit/audit.tsx';
import { type TextKey, words } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import { All, Card, Empty, Loaded, ScreenPage } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import { ageOf } from '../ui/typed.ts';
import { Activity } from './activity.tsx';
import styles from './attention.module.css';
import tileStyles from './tiles.module.css';
import { beginOfWeeks, changeOf, type Weeks, weeksOf } from './weeks.ts';

const NOW_EVERY_MS = 30_000;

export function OverviewScreen() {
  const now = useQuery('GET /admin/statistics/now', {}, { everyMs: NOW_EVERY_MS });
  const steps = useFirstSteps(now.data?.Accounts);
  return (
    <ScreenPage title={words('c.overview.title')}>
      {steps && <FirstSteps steps={steps} />}
      <Attention now={now.data} />
      {/* The numbers wait for the steps above them, so that they do not move. */}
      <Loaded result={steps ? now : { ...now, data: undefined }} lines={3}>
        {(numbers) => <Tiles now={numbers} />}
      </Loaded>
      <Activity />
      <NewestAudit />
    </ScreenPage>
  );
}

const COLUMNS = AUDIT_COLUMNS.filter(([name]) => name !== 'audit.ip');

function NewestAudit() {
  const result = useQuery('GET /admin/audit', { query: { limit: 10, names: true } });
  return (
    <Card title={words('overview.newest')}>
      <Loaded result={result}>
        {({ Items }) =>
          Items.length === 0 ? (
            <Empty title={words('overview.newest.none')} />
          ) : (
            <DataTable
              caption="c.audit.title"
              columns={COLUMNS}
              rows={Items}
              hrefOf={({ TraceId, Id }) =>
                `/console/audit?${TraceId === null ? '' : `traceId=${TraceId}&`}entry=${Id}`
              }
            />
          )
        }
      </Loaded>
      <All texts="audit" />
    </Card>
  );
}

const YEAR_MS = 365 * 86_400_000;
const WAITING_SECONDS_MAX = 300;

function Attention({ now }: { now: Now | undefined }) {
  const { data: system } = useQuery('GET /admin/system');
  const { data: bare } = useQuery('GET /admin/account', {
    query: { role: 'Admin', hasTwoFactor: false, limit: 1, count: true },
  });
  const away = system?.Dependencies.filter(({ IsReachable }) => !IsReachable) ?? [];
  const signing = system?.SigningKeys.filter(({ Signs }) => Signs) ?? [];
  const isOld = signing.some(({ CreatedAt }) => Date.now() - Date.parse(CreatedAt) > YEAR_MS);
  const onSystem = { path: 'system', action: words('overview.do.system') };
  const found = [
    ...away.map(({ Name }) => ({ words: words('system.finding.away', { name: Name }), ...onSystem })),
    (system?.RedisMemory?.EvictedKeys ?? 0) > 0 && { words: words('overview.evicted'), ...onSystem },
    isOld && { words: words('overview.oldKey'), ...onSystem },
    (now?.OutboxOldestSeconds ?? 0) > WAITING_SECONDS_MAX && { words: words('overview.stuck'), ...onSystem },
    bare !== undefined &&
      bare.Items.length > 0 && {
        words: words('overview.bareAdmins', { count: bare.Count ?? bare.Items.length }),
        path: 'accounts?role=Admin&hasTwoFactor=false',
        action: words('overview.do.bareAdmins'),
      },
    now !== undefined &&
      now.MailsParked > 0 && {
        words: words('overview.parkedMails', { count: now.MailsParked }),
        path: 'mails?status=Parked',
        action: words('overview.do.parkedMails'),
      },
  ].filter((one) => one !== false);
  if (found.length === 0) return null;
  return (
    <Card title={words('overview.attention')}>
      <ul class={styles['list']}>
        {found.map((one) => (
          <li key={one.words}>
            <Icon name="warning" />
            <span>{one.words}</span>
            <a href={`/console/${one.path}`}>{one.action}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** An installation with more accounts than this is in use. */
const NEW_ACCOUNTS_MAX = 50;
/** `npm start` creates an administrator and a user. */
const SEEDED_ACCOUNTS = 2;

type Step = readonly [name: 'accounts' | 'mails' | 'applications', isDone: boolean];

/** What to do first, until there are accounts, a mail, and a token or an application; `undefined` while it is loading. */
function useFirstSteps(accounts: number | undefined): readonly Step[] | undefined {
  const mails = useQuery('GET /admin/mail', { query: { limit: 1, status: 'Sent' } });
  const tokens = useQuery('GET /admin/api-token', { query: { limit: 1 } });
  const applications = useQuery('GET /admin/oauth-client');
  if (accounts === undefined || [mails, tokens, applications].some(({ isLoading }) => isLoading))
    return undefined;
  if (accounts > NEW_ACCOUNTS_MAX || !mails.data || !tokens.data || !applications.data) return [];
  // Declared applications may be those of a demonstration.
  const hasClient = tokens.data.Items.length > 0 || applications.data.Items.some((one) => !one.IsDeclared);
  const steps: Step[] = [
    ['accounts', accounts > SEEDED_ACCOUNTS],
    ['mails', mails.data.Items.length > 0],
    ['applications', hasClient],
  ];
  return steps.every(([, isDone]) => isDone) ? [] : steps;
}

function FirstSteps({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return (
    <Card title={words('overview.first')}>
      <ol class={styles['list']}>
        {steps.map(([name, isDone]) => (
          <li key={name} class={isDone ? styles['done'] : ''}>
            <Icon name={isDone ? 'check' : 'older'} />
            <span>
              {words(`overview.first.${name}`)}
              {isDone && <span class="only-read"> {words('overview.first.done')}</span>}
            </span>
            <a href={`/console/${name}`}>{words(`c.${name}.title`)}</a>
          </li>
        ))}
      </ol>
    </Card>
  );
}

type Now = Answer<'GET /admin/statistics/now'>;

interface Tile {
  name: TextKey;
  count: number;
  /** The count is an estimate. */
  isAbout?: boolean;
  path?: string;
  more?: string | undefined;
  trend?: keyof typeof TRENDS;
}

function Tiles({ now }: { now: Now }) {
  const weeksOfTrend = useTrends();
  return (
    <ul class={tileStyles['tiles']} aria-label={words('overview.now')}>
      {tilesOf(now).map((tile) => (
        <li key={tile.name}>
          <a class={tileStyles['tile']} {...(tile.path && { href: `/console/${tile.path}` })}>
            <TileWords tile={tile} weeks={tile.trend && weeksOfTrend(tile.trend)} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function TileWords({ tile, weeks }: { tile: Tile; weeks: Weeks | undefined }) {
  const { name, count, isAbout = false, more, trend } = tile;
  const shown = formatted(count);
  return (
    <>
      <span class={tileStyles['name']}>{words(name)}</span>
      <span class={[tileStyles['count'], count === 0 && tileStyles['zero']].filter(Boolean).join(' ')}>
        {isAbout ? words('overview.about', { count: shown }) : shown}
      </span>
      {more !== undefined && <span class={tileStyles['more']}>{more}</span>}
      {trend && weeks && (
        <span class={tileStyles['more']}>
          {words(`overview.trend.${trend}`, { count: formatted(weeks.now) })}{' '}
          <Delta weeks={weeks} isGood={trend !== 'refused'} />
        </span>
      )}
      {weeks && weeks.now > 0 && <Sparkline counts={weeks.days} />}
    </>
  );
}

/** `isGood`: more of it is good news. */
function Delta({ weeks, isGood }: { weeks: Weeks; isGood: boolean }) {
  const change = changeOf(weeks);
  if (change === undefined) return null;
  const isMore = change > 0;
  const share = formatted(Math.abs(change), { style: 'percent' });
  return (
    <span class={tileStyles[isMore === isGood ? 'good' : 'bad']}>
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
    <svg class={tileStyles['course']} viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}

function tilesOf(now: Now): Tile[] {
  const oldest = (seconds: number) =>
    seconds > 0 ? words('overview.oldest', { age: ageOf(seconds, pageData.Locale) }) : undefined;
  return [
    {
      name: 'c.accounts.title',
      count: now.Accounts,
      isAbout: !now.AccountsIsExact,
      path: 'accounts',
      more: words('overview.admins', { count: formatted(now.ByRole.Admin) }),
      trend: 'accounts',
    },
    { name: 'overview.sessions', count: now.SessionsActive, path: 'sessions?status=1', trend: 'sessions' },
    {
      name: 'accounts.throttled',
      count: now.Throttled,
      path: 'accounts?isThrottled=true',
      trend: 'refused',
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
    { name: 'content.pending', count: now.Invitations, path: 'invitations' },
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
const TRENDS = {
  accounts: /^(?:registration|invitation\.accepted)$/,
  sessions: /^login\./,
  refused: /^refused\./,
};

/** Returns a function that sums them up, once they are loaded. */
function useTrends() {
  const begin = beginOfWeeks(Date.now());
  const from = new Date(begin).toISOString();
  const { data } = useQuery('GET /admin/statistics', { query: { from, interval: 'hour' } });
  return (trend: keyof typeof TRENDS) => data && weeksOf(data.Series, TRENDS[trend], begin);
}
