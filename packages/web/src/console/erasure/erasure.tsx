import { useEffect, useState } from 'preact/hooks';
import { type Problem, problemText, wrongField } from '../../ui/api.ts';
import { saveFile } from '../../ui/browser.ts';
import { Field, Select } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { type Account, type Answer, inputFor, refresh, useConsole, useQuery } from '../api/call-api.ts';
import { type Act, ActButton, actsOn, calls, sends } from '../kit/act.tsx';
import { defineList } from '../kit/list.tsx';
import { TextField } from '../kit/fields.tsx';
import { SearchChoice } from '../kit/search-choice.tsx';
import { AccountLink, ActorLink } from '../objects.tsx';
import { choicesOf, words } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemBox } from '../ui/screen-page.tsx';
import { momentOf } from '../ui/typed.ts';
import { ago, badgesOf, Copy, None, Time } from '../ui/values.tsx';

type Erasure = Answer<'GET /admin/erasure'>['Items'][number];

const StateBadge = badgesOf<Erasure['State']>('erasure.state', {
  Pending: 'warning',
  Erased: 'neutral',
  Restored: 'success',
});

export const EXPORT: Act<Account> = { label: 'export.title', Part: Export };

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
  run: calls('POST /admin/account/{id}/restore'),
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
    { name: 'state', label: 'fact.state', texts: 'erasure.state' },
    { name: 'userId', label: 'id.account' },
  ],
  columns: [
    [
      'account.one',
      ({ UserId, State }) =>
        State === 'Erased' ? (
          <Copy value={UserId} label={words('id.account')} />
        ) : (
          <AccountLink id={UserId} />
        ),
    ],
    ['fact.state', ({ State }) => <StateBadge of={State} />],
    ago('erasure.askedAt', 'AskedAt'),
    ['fact.by', (erasure) => <RequestedBy erasure={erasure} />],
    [
      'erasure.erasesAt',
      ({ ErasedAt, ErasesAt, State }) =>
        State === 'Restored' ? null : <Time at={ErasedAt ?? ErasesAt} exact />,
    ],
    ['erasure.rows', ({ Counts }) => <Rows counts={Counts} />, 'end'],
    [
      'acts.menu',
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

function Rows({ counts }: { counts: Erasure['Counts'] }) {
  if (counts === null) return <None />;
  const found = Object.entries(counts).map(([table, count]) => [table, Number(count)] as const);
  return (
    <span title={found.map(([table, count]) => `${table}: ${count}`).join('\n')}>
      {found.reduce((sum, [, count]) => sum + count, 0)}
    </span>
  );
}

/** The pending erasure of an account, once it is loaded; and whether its owner has requested it. */
export function usePendingErasure({ Id, ErasesAt }: Account) {
  const enabled = ErasesAt !== null;
  const { data } = useQuery('GET /admin/erasure', { query: { userId: Id, state: 'Pending' } }, { enabled });
  const erasure = enabled ? data?.Items.find(({ UserId }) => UserId === Id) : undefined;
  return { erasure, isOwnWish: erasure?.AskedBy === Id };
}

function EraseDialog({ row: account, onClose }: { row: Account; onClose: () => void }) {
  const { callApi, toast } = useConsole();
  const [when, setWhen] = useState('later');
  const [conflict, setConflict] = useState<Problem>();
  const content = useQuery('GET /admin/account/{id}/content', inputFor(account.Id));
  // Content that it owns may be on a later page of the list: then the API responds with a conflict.
  const needsHeir =
    conflict !== undefined || content.data?.Items.some(({ Relation }) => Relation === 'Owner');
  const erase = async (typed: FieldValues): Promise<Problem | undefined> => {
    if (typed['Confirmation']?.trim().toLowerCase() !== account.Email.toLowerCase())
      return wrongField('Confirmation', 'not_same');
    const result = await sends('DELETE /admin/account/{id}')(callApi, account, orderOf(when, typed));
    if (!result.ok) {
      const { problem } = result;
      setConflict(problem.code === 'conflict' ? problem : undefined);
      return problem.code === 'conflict' ? undefined : problem;
    }
    toast(words('erasure.done'));
    onClose();
    await refresh();
    return undefined;
  };
  return (
    <Dialog title={words('erasure.erase')} onClose={onClose}>
      <OwnWish account={account} />
      <p>{words('erasure.effect', { email: account.Email })}</p>
      {conflict && <ProblemBox problem={conflict} />}
      <Form submit={words('erasure.erase')} kind="danger" onSubmit={erase}>
        <Select
          name="When"
          label={words('erasure.when')}
          defaultValue="later"
          options={choicesOf('erasure.when', ['later', 'now', 'on'])}
          onChange={setWhen}
        />
        {when === 'on' && <TextField name="After" type="datetime-local" label="erasure.after" required />}
        {needsHeir && <Heir besideId={account.Id} />}
        <TextField name="Reason" label="erasure.reason" />
        <Field
          name="Confirmation"
          label={words('confirm.type', { word: account.Email })}
          autocomplete="off"
          spellcheck={false}
          required
        />
      </Form>
    </Dialog>
  );
}

function orderOf(when: string, { Reason = '', After, Heir: heir }: FieldValues) {
  const after = when === 'now' ? new Date().toISOString() : momentOf(After);
  return {
    ...(Reason.trim() !== '' && { Reason: Reason.trim() }),
    ...(after !== undefined && { After: after }),
    ...(heir && { TransferContentTo: heir }),
  };
}

/** Warns that the owner has already requested the erasure, and that an administrator's order replaces this request. */
function OwnWish({ account }: { account: Account }) {
  if (!usePendingErasure(account).isOwnWish) return null;
  return (
    <Notice meaning="warning">
      <p>
        {words('erasure.ownWish')} {words('erasure.erasesAt')}: <Time at={account.ErasesAt} exact />.{' '}
        {words('erasure.ownWish.order')}
      </p>
    </Notice>
  );
}

/**
 * Asks who gets the content: no guest, and not the account `besideId`. The search has the name of the API's field, as it
 * can show what is wrong with the chosen account.
 */
function Heir({ besideId }: { besideId: string }) {
  return (
    <SearchChoice
      operation="GET /admin/account"
      most={10}
      search={{ name: 'TransferContentTo', label: 'erasure.heir' }}
      name="Heir"
      label="erasure.heir.choose"
      none="erasure.heir.none"
      choiceOf={({ Id, Email, DisplayName, Role }) =>
        Id !== besideId && Role !== 'Guest' && [Id, Email, DisplayName]
      }
    />
  );
}
