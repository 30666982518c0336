import { Button } from '../../ui/form/button.tsx';
import { useConsole } from '../api/console-context.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import { defineList } from '../list/define-list.tsx';
import { Icon } from '../ui/icon.tsx';
import { queryOf, type Filter, type Values } from '../ui/table/filters.ts';
import { ACTIONS } from './actions.ts';
import { EntryDrawer } from './entry-drawer.tsx';
import { exportRow } from './export-row.ts';
import { MailsOfTrace } from './mails-of-trace.tsx';
import { auditColumns } from './names.tsx';

const ACTOR_KINDS = ['Account', 'ApiToken', 'System'] as const;

const FILTERS: readonly Filter[] = [
  { name: 'action', label: 'audit.what', options: ACTIONS, texts: 'audit.action' },
  { name: 'actorKind', label: 'audit.who', options: ACTOR_KINDS, texts: 'audit.actorKind' },
  { name: 'from', label: 'audit.from', type: 'datetime-local' },
  { name: 'to', label: 'audit.to', type: 'datetime-local' },
  { name: 'actorId', label: 'audit.actorId', isRare: true },
  { name: 'targetId', label: 'audit.targetId', isRare: true },
  { name: 'ipAddress', label: 'audit.ip', isRare: true },
  { name: 'traceId', label: 'audit.trace', isRare: true },
];

/** The audit: who changed what, when, and from where. The entry in the address is open. */
export const AuditScreen = defineList({
  operation: 'GET /admin/audit',
  query: { names: true, count: true },
  caption: 'c.audit.title',
  none: 'audit.none',
  hrefOf: ({ Id }, { values }) =>
    `/console/audit?${new URLSearchParams({ ...values, entry: Id }).toString()}`,
  filters: FILTERS,
  columns: auditColumns,
  extra: ({ values, set }, rows) => {
    const { traceId, entry } = values;
    const shown = rows.find(({ Id }) => Id === entry);
    return (
      <>
        {traceId && <MailsOfTrace traceId={traceId} />}
        {shown && <EntryDrawer entry={shown} onClose={() => set({ entry: undefined }, { keepPage: true })} />}
      </>
    );
  },
  actions: ({ words, values, open }) => (
    <Button
      icon={<Icon name="export" />}
      onClick={() => open((close) => <Export values={values} onClose={close} />)}
    >
      {words('export.title')}
    </Button>
  ),
});

/** Saves the listed entries as a file. */
function Export({ values, onClose }: { values: Values; onClose: () => void }) {
  const { callApi } = useConsole();
  return (
    <ExportDialog
      name="audit"
      page={(cursor) =>
        callApi('GET /admin/audit', {
          // The address may contain any value: the API rejects the invalid ones.
          query: { ...queryOf(FILTERS, values), names: true, limit: 200, cursor } as object,
        })
      }
      rowOf={exportRow}
      onClose={onClose}
    />
  );
}
