import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';

/** The number of mails that a request caused, with a link to their list; renders nothing if there are none. */
export function MailsOfTrace({ traceId }: { traceId: string }) {
  const words = useWords();
  const { data } = useQuery('GET /admin/mail', { query: { traceId, limit: 1, count: true } });
  if (data === undefined || data.Items.length === 0) return null;
  return (
    <p>
      <a href={`/console/mails?${new URLSearchParams({ traceId }).toString()}`}>
        {words('audit.mailsOfTrace', { count: data.Count ?? data.Items.length })}
      </a>
    </p>
  );
}
