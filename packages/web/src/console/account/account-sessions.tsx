import { useAsk } from '../api/use-ask.ts';
import { SessionsTable } from '../sessions/sessions-table.tsx';
import { useWords } from '../text.ts';
import { useFilters } from '../ui/filters.ts';
import { Pager } from '../ui/pager.tsx';
import { Empty, Loaded } from '../ui/state.tsx';

/** The sessions of one account. */
export function AccountSessions({ id }: { id: string }) {
  const words = useWords();
  const { cursor } = useFilters().values;
  const asked = useAsk('GET /admin/user-session', {
    query: { userId: id, count: true, ...(cursor && { cursor }) },
  });
  return (
    <Loaded asked={asked}>
      {({ Items, NextCursor, Count, CountIsExact }) => (
        <>
          {Items.length === 0 ? (
            <Empty title={words('account.noSessions')} />
          ) : (
            <SessionsTable rows={Items} isOld={asked.isOld} />
          )}
          <Pager next={NextCursor} count={Count} isExact={CountIsExact} />
        </>
      )}
    </Loaded>
  );
}
