import { Notice } from '../../ui/layout/notice.tsx';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import type { Now } from './tiles.tsx';

const YEAR_MS = 365 * 86_400_000;
const WAITING_SECONDS_MAX = 300;

/** Problems that an administrator should solve. */
export function Warnings({ now }: { now: Now }) {
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
