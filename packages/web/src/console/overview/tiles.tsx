import { usePageData } from '../../ui/api/page-data.ts';
import type { Answer } from '../api/call-api.ts';
import { useWords, type Words } from '../text.ts';
import { ageOf } from '../ui/age.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './tiles.module.css';
import { useTrends, type Trends } from './use-trends.ts';

export type Now = Answer<'GET /admin/statistics/now'>;

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
export function Tiles({ now }: { now: Now }) {
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
