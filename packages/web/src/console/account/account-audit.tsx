import { auditColumns } from '../audit/audit.tsx';
import { List } from '../list/list.tsx';
import { FilterBar } from '../ui/table/filter-bar.tsx';
import { useFilters, type Filter } from '../ui/table/filters.ts';

const FILTERS: readonly Filter[] = [
  { name: 'side', label: 'account.audit.side', options: ['actor'], texts: 'account.audit' },
];

/** The audit entries about an account, or about actions of its owner. Each links to its entry in the audit. */
export function AccountAudit({ id }: { id: string }) {
  const { side, cursor } = useFilters().values;
  const query = side === 'actor' ? { actorId: id } : { targetId: id };
  const shown = { ...query, ...(cursor && { cursor }) };
  return (
    <>
      <FilterBar filters={FILTERS} />
      <List
        operation="GET /admin/audit"
        query={{ ...query, names: true, count: true }}
        caption="c.audit.title"
        none="account.noAudit"
        hrefOf={({ Id }) => `/console/audit?${new URLSearchParams({ ...shown, entry: Id }).toString()}`}
        columns={auditColumns}
      />
    </>
  );
}
