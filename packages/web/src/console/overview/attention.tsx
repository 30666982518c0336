import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import { Card } from '../ui/screen-page.tsx';
import styles from './attention.module.css';
import type { Now } from './tiles.tsx';

const YEAR_MS = 365 * 86_400_000;
const WAITING_SECONDS_MAX = 300;

/** What an administrator should act on, each with the screen where that is done. */
export function Attention({ now }: { now: Now }) {
  const words = useWords();
  const { data: system } = useQuery('GET /admin/system');
  const { data: bare } = useQuery('GET /admin/account', {
    query: { role: 'Admin', hasTwoFactor: false, limit: 1, count: true },
  });
  const away = system?.Dependencies.filter(({ IsReachable }) => !IsReachable) ?? [];
  const signing = system?.SigningKeys.filter(({ Signs }) => Signs) ?? [];
  const isOld = signing.some(({ CreatedAt }) => Date.now() - Date.parse(CreatedAt) > YEAR_MS);
  const onSystem = { path: 'system', action: words('overview.do.system') };
  const found = [
    ...away.map(({ Name }) => ({ words: words('overview.away', { name: Name }), ...onSystem })),
    (system?.RedisMemory?.EvictedKeys ?? 0) > 0 && { words: words('overview.evicted'), ...onSystem },
    isOld && { words: words('overview.oldKey'), ...onSystem },
    now.OutboxOldestSeconds > WAITING_SECONDS_MAX && { words: words('overview.stuck'), ...onSystem },
    bare !== undefined &&
      bare.Items.length > 0 && {
        words: words('overview.bareAdmins', { count: bare.Count ?? bare.Items.length }),
        path: 'accounts?role=Admin&hasTwoFactor=false',
        action: words('overview.do.bareAdmins'),
      },
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

/** What to do first, until there are accounts, a mail, and a token or an application. */
export function FirstSteps({ now: { Accounts: accounts } }: { now: Now }) {
  const words = useWords();
  const newest = { query: { limit: 1 } };
  const sent = { query: { limit: 1, status: 'Sent' } } as const;
  const isNew = { enabled: accounts <= NEW_ACCOUNTS_MAX };
  const mails = useQuery('GET /admin/mail', sent, isNew).data?.Items;
  const tokens = useQuery('GET /admin/api-token', newest, isNew).data?.Items;
  const applications = useQuery('GET /admin/oauth-client', {}, isNew).data?.Items;
  if (mails === undefined || tokens === undefined || applications === undefined) return null;
  // Declared applications may be those of a demonstration.
  const hasClient = tokens.length > 0 || applications.some(({ IsDeclared }) => !IsDeclared);
  const steps = [
    { name: 'accounts', path: 'accounts', isDone: accounts > SEEDED_ACCOUNTS },
    { name: 'mail', path: 'mails', isDone: mails.length > 0 },
    { name: 'client', path: 'applications', isDone: hasClient },
  ] as const;
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card title={words('overview.first')}>
      <ol class={styles['list']}>
        {steps.map(({ name, path, isDone }) => (
          <li key={name} class={isDone ? styles['done'] : ''}>
            <Icon name={isDone ? 'check' : 'older'} />
            <span>
              {words(`overview.first.${name}`)}
              {isDone && <span class="only-read"> {words('overview.first.done')}</span>}
            </span>
            <a href={`/console/${path}`}>{words(`overview.first.${name}.do`)}</a>
          </li>
        ))}
      </ol>
    </Card>
  );
}
