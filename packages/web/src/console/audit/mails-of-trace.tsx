import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';

/** How many mails a request caused, with their list; nothing where it caused none. */
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
