import type { Answer } from '../api/call-api.ts';
import { useQuery } from '../api/use-query.ts';
import { useCounted, useWords, type CountedKey } from '../text.ts';
import { Card } from '../ui/layout/screen-page.tsx';
import styles from './session-history.module.css';

type Session = Answer<'GET /admin/user-session/{id}'>;

/** Links to other sessions of the same account, IP address or device, and to related mails and audit entries. */
export function RelatedSessions({ session }: { session: Session }) {
  const words = useWords();
  const { Id, UserId, Email, IpAddress, DeviceName } = session;
  return (
    <Card title={words('sessions.related')}>
      <ul class={styles['timeline']}>
        <RelatedList label="sessions.related.account" filter={{ userId: UserId }} />
        {IpAddress && (
          <RelatedList
            label="sessions.related.address"
            values={{ address: IpAddress }}
            filter={{ ipAddress: IpAddress }}
          />
        )}
        {DeviceName && (
          <RelatedList
            label="sessions.related.device"
            values={{ device: DeviceName }}
            filter={{ deviceName: DeviceName }}
          />
        )}
        <li>
          <a href={`/console/mails?${new URLSearchParams({ email: Email }).toString()}`}>
            {words('sessions.related.mails')}
          </a>
        </li>
        <li>
          <a href={`/console/audit?${new URLSearchParams({ targetId: Id }).toString()}`}>
            {words('sessions.related.audit')}
          </a>
        </li>
      </ul>
    </Card>
  );
}

interface RelatedListProps {
  label: CountedKey;
  values?: Record<string, string>;
  filter: Record<string, string>;
}

/** A link to the sessions that match a filter, with their number. */
function RelatedList({ label, values, filter }: RelatedListProps) {
  const words = useWords();
  const counted = useCounted();
  const { data } = useQuery('GET /admin/user-session', { query: { ...filter, count: true, limit: 1 } });
  const { Count, CountIsExact } = data ?? {};
  return (
    <li>
      <a href={`/console/sessions?${new URLSearchParams(filter).toString()}`}>
        {Count === undefined || !CountIsExact
          ? words(label, { ...values, count: '…' })
          : counted(label, Count, values)}
      </a>
    </li>
  );
}
