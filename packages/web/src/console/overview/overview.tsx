import { usePageData } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import type { Answer } from '../api/call-api.ts';
import { useQuery } from '../api/use-query.ts';
import { ActorName, TargetName } from '../audit/audit.tsx';
import type { Screen } from '../screen.ts';
import { useWords, useWordsFor, type Words } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import { Card, Empty, Loaded, ScreenPage } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import { ageOf } from '../ui/typed.ts';
import { Time } from '../ui/values.tsx';
import { Activity } from './activity.tsx';
import styles from './tiles.module.css';

const NOW_EVERY_MS = 30_000;

/** The present state of the installation, and its recent activity. */
function OverviewScreen() {
  const words = useWords();
  const now = useQuery('GET /admin/statistics/now', {}, { everyMs: NOW_EVERY_MS });
  return (
    <ScreenPage title={words('c.overview.title')}>
      <Loaded result={now} lines={3}>
        {(numbers) => (
          <>
            <Warnings now={numbers} />
            {numbers.AccountsIsExact && numbers.Accounts <= numbers.ByRole.Admin && <FirstSteps />}
            <Tiles now={numbers} />
          </>
        )}
      </Loaded>
      <Activity />
      <NewestAudit />
    </ScreenPage>
  );
}

const YEAR_MS = 365 * 86_400_000;
const WAITING_SECONDS_MAX = 300;

/** Problems that an administrator should solve. */
function Warnings({ now }: { now: Now }) {
  const words = useWords();
  const { data: system } = useQuery('GET /admin/system');
  const { data: bare } = useQuery('GET /admin/account', {
    query: { role: 'Admin', hasTwoFactor: false, limit: 1, count: true },
  });
  const away = system?.Dependencies.filter(({ IsReachable }) => !IsReachable) ?? [];
  const signing = system?.SigningKeys.filter(({ Signs }) => Signs) ?? [];
  const isOld = signing.some(({ CreatedAt }) => Date.now() - Date.parse(CreatedAt) > YEAR_MS);
  const found = [
    ...away.map(({ Name }) => ({ words: words('overview.away', { name: Name }), href: '/console/system' })),
    (system?.RedisMemory?.EvictedKeys ?? 0) > 0 && {
      words: words('overview.evicted'),
      href: '/console/system',
    },
    isOld && { words: words('overview.oldKey'), href: '/console/system' },
    now.OutboxOldestSeconds > WAITING_SECONDS_MAX && {
      words: words('overview.stuck'),
      href: '/console/system',
    },
    bare !== undefined &&
      bare.Items.length > 0 && {
        words: words('overview.bareAdmins', { count: bare.Count ?? bare.Items.length }),
        href: '/console/accounts?role=Admin&hasTwoFactor=false',
      },
    now.MailsParked > 0 && {
      words: words('overview.parkedMails', { count: now.MailsParked }),
      href: '/console/mails?status=Parked',
    },
  ].filter((one) => one !== false);
  const [first, ...others] = found;
  if (first === undefined) return null;
  return (
    <Notice meaning="warning">
      {others.length === 0 ? (
        <p>
          <a href={first.href}>{first.words}</a>
        </p>
      ) : (
        <ul>
          {found.map((warning) => (
            <li key={warning.words}>
              <a href={warning.href}>{warning.words}</a>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

const STEPS = [
  ['accounts', '/console/accounts'],
  ['import', '/console/import'],
  ['mail', '/console/mails'],
  ['token', '/console/tokens'],
  ['signOn', '/console/sign-on'],
] as const;

/** What to do in an installation that has only administrators. */
function FirstSteps() {
  const words = useWords();
  return (
    <Card title={words('overview.first')}>
      <ol>
        {STEPS.map(([name, href]) => (
          <li key={name}>
            <a href={href}>{words(`overview.first.${name}`)}</a>
          </li>
        ))}
      </ol>
    </Card>
  );
}

type Now = Answer<'GET /admin/statistics/now'>;

interface Tile {
  name: string;
  count: string;
  /** The address of the list of the counted objects, if there is one. */
  href?: string;
  more?: string | undefined;
  /** What happened in a week, against the week before. */
  trend?: string | undefined;
  /** Whether an administrator should act on it. */
  isUrgent?: boolean;
}

/** Present numbers, each with a link to the list of the counted objects, if there is one. */
function Tiles({ now }: { now: Now }) {
  const words = useWords();
  const { Locale } = usePageData();
  const trends = useTrends();
  return (
    <ul class={styles['tiles']} aria-label={words('overview.now')}>
      {tilesOf(now, trends, words, Locale).map(({ name, count, href, more, trend, isUrgent }) => {
        const style = [styles['tile'], isUrgent && styles['urgent']].filter(Boolean).join(' ');
        const inner = (
          <>
            <span class={styles['name']}>
              {isUrgent && <Icon name="warning" />}
              {name}
            </span>
            <span class={styles['count']}>{count}</span>
            <span class={styles['more']}>{more}</span>
            {trend !== undefined && <span class={styles['more']}>{trend}</span>}
          </>
        );
        return (
          <li key={name}>
            {href === undefined ? (
              <div class={style}>{inner}</div>
            ) : (
              <a class={style} href={href}>
                {inner}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function tilesOf(now: Now, trends: Trends, words: Words, locale: string): Tile[] {
  const number = new Intl.NumberFormat(locale);
  const count = (value: number): string => number.format(value);
  const oldest = (seconds: number): string | undefined =>
    seconds > 0 ? words('overview.oldest', { age: ageOf(seconds, locale) }) : undefined;
  const accounts = count(now.Accounts);
  return [
    {
      name: words('overview.accounts'),
      count: now.AccountsIsExact ? accounts : words('overview.about', { count: accounts }),
      href: '/console/accounts',
      more: words('overview.admins', { count: count(now.ByRole.Admin) }),
      trend: trends.accounts,
    },
    {
      name: words('overview.online'),
      count: count(now.Online),
      href: '/console/sessions?isOnline=true',
    },
    {
      name: words('overview.sessions'),
      count: count(now.SessionsActive),
      href: '/console/sessions?status=1',
      trend: trends.sessions,
    },
    { name: words('overview.invitations'), count: count(now.Invitations), href: '/console/invitations' },
    {
      name: words('overview.parked'),
      count: count(now.MailsParked),
      href: '/console/mails?status=Parked',
      isUrgent: now.MailsParked > 0,
    },
    {
      name: words('overview.waiting'),
      count: count(now.MailsWaiting),
      href: '/console/mails?status=Retrying',
      more: oldest(now.MailsOldestSeconds),
    },
    {
      name: words('overview.outbox'),
      count: count(now.OutboxWaiting),
      more: oldest(now.OutboxOldestSeconds),
    },
    {
      name: words('overview.throttled'),
      count: count(now.Throttled),
      href: '/console/accounts?isThrottled=true',
      trend: trends.refused,
    },
  ];
}

const DAY_MS = 24 * 3600 * 1000;
const DAYS = 7;

/** The kinds of docs/statistics.md whose counts in a week are compared with those of the week before. */
const KINDS = {
  accounts: /^(?:registration|invitation\.accepted)$/,
  sessions: /^login\./,
  refused: /^refused\./,
};

type Trends = Partial<Record<keyof typeof KINDS, string>>;

/** What happened in the last seven whole days (UTC), and the change against the seven before. */
function useTrends(): Trends {
  const words = useWords();
  const { Locale } = usePageData();
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const from = new Date(today - 2 * DAYS * DAY_MS).toISOString();
  const { data } = useQuery('GET /admin/statistics', { query: { from, interval: 'day' } });
  if (data === undefined) return {};
  const sum = (kinds: RegExp, since: number, until: number): number =>
    data.Series.filter(({ At }) => Date.parse(At) >= since && Date.parse(At) < until)
      .flatMap(({ Counts }) => Object.entries(Counts))
      .reduce((total, [kind, count]) => total + (kinds.test(kind) ? count : 0), 0);
  const number = new Intl.NumberFormat(Locale);
  const change = new Intl.NumberFormat(Locale, { style: 'percent', signDisplay: 'exceptZero' });
  const trend = (name: keyof typeof KINDS): string => {
    const middle = today - DAYS * DAY_MS;
    const now = sum(KINDS[name], middle, today);
    const before = sum(KINDS[name], today - 2 * DAYS * DAY_MS, middle);
    const said = words(`overview.trend.${name}`, { count: number.format(now) });
    return before === 0 ? said : `${said} (${change.format(now / before - 1)})`;
  };
  return { accounts: trend('accounts'), sessions: trend('sessions'), refused: trend('refused') };
}

/** The newest audit entries. */
function NewestAudit() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const result = useQuery('GET /admin/audit', { query: { limit: 10, names: true } });
  return (
    <Card title={words('overview.newest')}>
      <Loaded result={result}>
        {({ Items }) =>
          Items.length === 0 ? (
            <Empty title={words('overview.newest.none')} />
          ) : (
            <DataTable
              caption={words('c.audit.title')}
              columns={[
                {
                  head: words('audit.what'),
                  cell: ({ Action }) => wordsFor('audit.action', Action),
                },
                { head: words('audit.who'), cell: (entry) => <ActorName entry={entry} /> },
                { head: words('audit.whom'), cell: (entry) => <TargetName entry={entry} /> },
                { head: words('audit.when'), cell: ({ At }) => <Time at={At} /> },
              ]}
              rows={Items}
              keyOf={({ Id }) => Id}
              hrefOf={({ TraceId, Id }) =>
                `/console/audit?${TraceId === null ? '' : `traceId=${TraceId}&`}entry=${Id}`
              }
            />
          )
        }
      </Loaded>
      <p>
        <a href="/console/audit">{words('overview.newest.all')}</a>
      </p>
    </Card>
  );
}

export const overviewScreens: readonly Screen[] = [
  {
    path: '',
    component: OverviewScreen,
    nav: { label: 'c.overview.title', icon: 'overview', key: 'o' },
  },
];
