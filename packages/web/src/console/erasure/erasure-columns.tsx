import { Button } from '../../ui/form/button.tsx';
import { ActorLink } from '../account/actor-link.tsx';
import { AccountLink } from '../accounts/account-link.tsx';
import type { Words } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import type { Column } from '../ui/table/data-table.tsx';
import { Time } from '../ui/time.tsx';
import { ErasureState, type Erasure } from './erasure-state.tsx';

interface ErasureColumns {
  words: Words;
  /** The emails of the accounts that still exist, by account id. */
  emails: ReadonlyMap<string, string>;
  onTakeBack: (accountId: string) => void;
}

/** The columns of the erasure list. An erased account is only known by its id. */
export function erasureColumns({ words, emails, onTakeBack }: ErasureColumns): Column<Erasure>[] {
  return [
    {
      key: 'account',
      head: words('erasure.account'),
      cell: ({ UserId, State }) =>
        State === 'Erased' ? (
          <Copy value={UserId} label={words('id.account')} />
        ) : (
          <AccountLink id={UserId} emails={emails} />
        ),
    },
    { key: 'state', head: words('erasure.state'), cell: ({ State }) => <ErasureState state={State} /> },
    { key: 'asked', head: words('erasure.askedAt'), cell: ({ AskedAt }) => <Time at={AskedAt} /> },
    {
      key: 'by',
      head: words('erasure.askedBy'),
      cell: (erasure) => <RequestedBy erasure={erasure} words={words} />,
    },
    {
      key: 'when',
      head: words('erasure.erasesAt'),
      cell: ({ ErasedAt, ErasesAt, State }) =>
        State === 'Restored' ? '–' : <Time at={ErasedAt ?? ErasesAt} exact />,
    },
    {
      key: 'rows',
      head: words('erasure.rows'),
      cell: ({ Counts }) => <Rows counts={Counts} />,
      align: 'end',
    },
    {
      key: 'ways',
      head: words('erasure.ways'),
      isPinned: true,
      cell: ({ UserId, State }) =>
        State === 'Pending' ? (
          <Button onClick={() => onTakeBack(UserId)}>{words('erasure.takeBack')}</Button>
        ) : (
          <a href={`/console/audit?${new URLSearchParams({ targetId: UserId }).toString()}`}>
            {words('c.audit.title')}
          </a>
        ),
    },
  ];
}

function RequestedBy({
  erasure: { AskedBy: id, AskedByKind, UserId },
  words,
}: {
  erasure: Erasure;
  words: Words;
}) {
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
