import { useEffect } from 'preact/hooks';
import { problemText } from '../../ui/api.ts';
import { saveFile } from '../../ui/browser.ts';
import { text } from '../../ui/locale.ts';
import type { Account } from '../account/account.ts';
import { type Answer, refresh, useConsole } from '../api/call-api.ts';
import { type Act, ActButton, actsOn } from '../kit/act.tsx';
import { defineList } from '../kit/list.tsx';
import { AccountLink, ActorLink } from '../objects.tsx';
import { words, wordsFor } from '../text.ts';
import { ago } from '../ui/fact.tsx';
import { Badge, Copy, type Meaning, None, Time } from '../ui/values.tsx';
import { EraseDialog } from './erase-dialog.tsx';

/** The erasure of an account: pending, done or taken back. */
type Erasure = Answer<'GET /admin/erasure'>['Items'][number];

const MEANINGS: Record<Erasure['State'], Meaning> = {
  Pending: 'warning',
  Erased: 'neutral',
  Restored: 'success',
};

/** Saves all stored data about an account as a file. */
export const EXPORT: Act<Account> = { label: 'erasure.export', Part: Export };

/** Needs no dialog: it saves the file at once. */
function Export({ row: { Id }, onClose }: { row: Account; onClose: () => void }) {
  const { callApi, toast } = useConsole();
  const save = async (): Promise<void> => {
    const result = await callApi('GET /admin/account/{id}/export', { path: { id: Id } });
    if (!result.ok) return toast(problemText(result.problem, text));
    saveFile(`account-${Id}.json`, 'application/json', `${JSON.stringify(result.value, undefined, 2)}\n`);
    toast(words('erasure.exported'));
    await refresh();
  };
  useEffect(() => {
    onClose();
    void save();
  }, []);
  return null;
}

export const ERASE: Act<Account> = { label: 'erasure.erase', kind: 'danger', Part: EraseDialog };

export const RESTORE = actsOn<Pick<Account, 'Id'>>()({
  label: 'erasure.takeBack',
  run: (callApi, { Id }) => callApi('POST /admin/account/{id}/restore', { path: { id: Id } }),
});

/** An erased account is only known by its id. */
export const ErasuresScreen = defineList({
  operation: 'GET /admin/erasure',
  query: {},
  caption: 'c.erasures.title',
  none: 'erasure.none',
  first: ['accounts', 'erasure.none.first'],
  accountOf: ({ UserId }) => UserId,
  filters: [
    { name: 'state', label: 'erasure.state', options: Object.keys(MEANINGS), texts: 'erasure.state' },
    { name: 'userId', label: 'id.account' },
  ],
  columns: [
    [
      'erasure.account',
      ({ UserId, State }) =>
        State === 'Erased' ? (
          <Copy value={UserId} label={words('id.account')} />
        ) : (
          <AccountLink id={UserId} />
        ),
    ],
    [
      'erasure.state',
      ({ State }) => <Badge meaning={MEANINGS[State]}>{wordsFor('erasure.state', State)}</Badge>,
    ],
    ago('erasure.askedAt', 'AskedAt'),
    ['erasure.askedBy', (erasure) => <RequestedBy erasure={erasure} />],
    [
      'erasure.erasesAt',
      ({ ErasedAt, ErasesAt, State }) =>
        State === 'Restored' ? null : <Time at={ErasedAt ?? ErasesAt} exact />,
    ],
    ['erasure.rows', ({ Counts }) => <Rows counts={Counts} />, 'end'],
    [
      'erasure.ways',
      ({ UserId, State }) =>
        State === 'Pending' ? (
          <ActButton act={RESTORE} row={{ Id: UserId }} />
        ) : (
          <a href={`/console/audit?targetId=${UserId}`}>{words('c.audit.title')}</a>
        ),
      'pinned',
    ],
  ],
});

function RequestedBy({ erasure: { AskedBy: id, AskedByKind, UserId } }: { erasure: Erasure }) {
  if (id === null || AskedByKind === 'System') return <span class="quiet">{words('audit.system')}</span>;
  if (id === UserId) return <>{words('erasure.byOwner')}</>;
  return <ActorLink id={id} />;
}

/** The number of rows that an erasure removed; the tooltip lists them by table. */
function Rows({ counts }: { counts: Erasure['Counts'] }) {
  if (counts === null) return <None />;
  const found = Object.entries(counts).map(([table, count]) => [table, Number(count)] as const);
  return (
    <span title={found.map(([table, count]) => `${table}: ${count}`).join('\n')}>
      {found.reduce((sum, [, count]) => sum + count, 0)}
    </span>
  );
}
