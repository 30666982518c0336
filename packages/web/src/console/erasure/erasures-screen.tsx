import { Button } from '../../ui/form/button.tsx';
import { ActorLink } from '../account/actor-link.tsx';
import { AccountLink } from '../accounts/account-link.tsx';
import { defineList } from '../list/define-list.tsx';
import { useWords } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { Time } from '../ui/time.tsx';
import { CancelErasureDialog } from './cancel-erasure-dialog.tsx';
import { ErasureState, STATES, type Erasure } from './erasure-state.tsx';

/** The list of all erasures: pending, done and taken back. An erased account is only known by its id. */
export const ErasuresScreen = defineList({
  operation: 'GET /admin/erasure',
  query: {},
  caption: 'c.erasures.title',
  none: 'erasure.none',
  accountOf: ({ UserId }) => UserId,
  filters: [
    { name: 'state', label: 'erasure.state', options: STATES, texts: 'erasure.state' },
    { name: 'userId', label: 'id.account' },
  ],
  columns: ({ words, emails, open }) => [
    {
      head: words('erasure.account'),
      cell: ({ UserId, State }) =>
        State === 'Erased' ? (
          <Copy value={UserId} label={words('id.account')} />
        ) : (
          <AccountLink id={UserId} emails={emails} />
        ),
    },
    { head: words('erasure.state'), cell: ({ State }) => <ErasureState state={State} /> },
    { head: words('erasure.askedAt'), cell: ({ AskedAt }) => <Time at={AskedAt} /> },
    { head: words('erasure.askedBy'), cell: (erasure) => <RequestedBy erasure={erasure} /> },
    {
      head: words('erasure.erasesAt'),
      cell: ({ ErasedAt, ErasesAt, State }) =>
        State === 'Restored' ? '–' : <Time at={ErasedAt ?? ErasesAt} exact />,
    },
    { head: words('erasure.rows'), cell: ({ Counts }) => <Rows counts={Counts} />, align: 'end' },
    {
      head: words('erasure.ways'),
      isPinned: true,
      cell: ({ UserId, State }) =>
        State === 'Pending' ? (
          <Button onClick={() => open((close) => <CancelErasureDialog accountId={UserId} onClose={close} />)}>
            {words('erasure.takeBack')}
          </Button>
        ) : (
          <a href={`/console/audit?${new URLSearchParams({ targetId: UserId }).toString()}`}>
            {words('c.audit.title')}
          </a>
        ),
    },
  ],
});

function RequestedBy({ erasure: { AskedBy: id, AskedByKind, UserId } }: { erasure: Erasure }) {
  const words = useWords();
  if (id === null || AskedByKind === 'System') return <span class="quiet">{words('audit.system')}</span>;
  if (id === UserId) return <>{words('erasure.byOwner')}</>;
  return <ActorLink id={id} />;
}

/** The number of rows that an erasure removed; the tooltip lists them by table. */
function Rows({ counts }: { counts: Erasure['Counts'] }) {
  if (counts === null) return <>–</>;
  const found = Object.entries(counts).map(([table, count]) => [table, Number(count)] as const);
  return (
    <span title={found.map(([table, count]) => `${table}: ${count}`).join('\n')}>
      {found.reduce((sum, [, count]) => sum + count, 0)}
    </span>
  );
}
