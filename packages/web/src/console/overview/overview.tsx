import { useQuery } from '../api/call-api.ts';
import { AUDIT_COLUMNS } from '../audit/audit.tsx';
import { All } from '../kit/define-screen.tsx';
import { words } from '../text.ts';
import { Card, Empty, Loaded, ScreenPage } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import { Activity } from './activity.tsx';
import { Tiles, type Now } from './tiles.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './attention.module.css';

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
              caption={words('c.audit.title')}
              columns={COLUMNS}
              rows={Items}
              hrefOf={({ TraceId, Id }) =>
                `/console/audit?${TraceId === null ? '' : `traceId=${TraceId}&`}entry=${Id}`
              }
            />
          )
        }
      </Loaded>
      <All path="audit" label="overview.newest.all" />
    </Card>
  );
}

const YEAR_MS = 365 * 86_400_000;
const WAITING_SECONDS_MAX = 300;

/** What an administrator should act on, each with the screen where that is done. */
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
    ...away.map(({ Name }) => ({ words: words('overview.away', { name: Name }), ...onSystem })),
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

interface Step {
  name: 'accounts' | 'mail' | 'client';
  path: string;
  isDone: boolean;
}

/** What to do first, until there are accounts, a mail, and a token or an application; `undefined` while it is loading. */
function useFirstSteps(accounts: number | undefined): readonly Step[] | undefined {
  const newest = { query: { limit: 1 } };
  const mails = useQuery('GET /admin/mail', { query: { limit: 1, status: 'Sent' } });
  const tokens = useQuery('GET /admin/api-token', newest);
  const applications = useQuery('GET /admin/oauth-client');
  if (accounts === undefined || [mails, tokens, applications].some(({ isLoading }) => isLoading))
    return undefined;
  if (accounts > NEW_ACCOUNTS_MAX || !mails.data || !tokens.data || !applications.data) return [];
  // Declared applications may be those of a demonstration.
  const hasClient = tokens.data.Items.length > 0 || applications.data.Items.some((one) => !one.IsDeclared);
  const steps: Step[] = [
    { name: 'accounts', path: 'accounts', isDone: accounts > SEEDED_ACCOUNTS },
    { name: 'mail', path: 'mails', isDone: mails.data.Items.length > 0 },
    { name: 'client', path: 'applications', isDone: hasClient },
  ];
  return steps.every(({ isDone }) => isDone) ? [] : steps;
}

function FirstSteps({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return null;
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
