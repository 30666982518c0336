import { useState } from 'preact/hooks';
import { type Problem, wrongField } from '../../ui/api.ts';
import { Field, Select } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Account } from '../account/account.ts';
import { refresh, useConsole, useQuery } from '../api/call-api.ts';
import { SearchChoice } from '../kit/search-choice.tsx';
import { choicesOf, words } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemBox } from '../ui/screen-page.tsx';
import { momentOf } from '../ui/typed.ts';
import { Time } from '../ui/values.tsx';

/** The pending erasure of an account, once it is loaded; and whether its owner has requested it. */
export function usePendingErasure({ Id, ErasesAt }: Account) {
  const enabled = ErasesAt !== null;
  const { data } = useQuery('GET /admin/erasure', { query: { userId: Id, state: 'Pending' } }, { enabled });
  const erasure = enabled ? data?.Items.find(({ UserId }) => UserId === Id) : undefined;
  return { erasure, isOwnWish: erasure?.AskedBy === Id };
}

type When = 'later' | 'now' | 'on';
const WHEN: readonly When[] = ['later', 'now', 'on'];

export function EraseDialog({ row: account, onClose }: { row: Account; onClose: () => void }) {
  const { callApi, toast } = useConsole();
  const [when, setWhen] = useState<When>('later');
  const [conflict, setConflict] = useState<Problem>();
  const content = useQuery('GET /admin/account/{id}/content', { path: { id: account.Id } });
  // Content that it owns may be on a later page of the list: then the API responds with a conflict.
  const needsHeir =
    conflict !== undefined || content.data?.Items.some(({ Relation }) => Relation === 'Owner');
  const erase = async (typed: FieldValues): Promise<Problem | undefined> => {
    if (typed['Confirmation']?.trim().toLowerCase() !== account.Email.toLowerCase())
      return wrongField('Confirmation', 'not_same');
    const path = { id: account.Id };
    const result = await callApi('DELETE /admin/account/{id}', { path, body: orderOf(when, typed) });
    if (!result.ok) {
      const { problem } = result;
      setConflict(problem.code === 'conflict' ? problem : undefined);
      return problem.code === 'conflict' ? undefined : atHeir(problem);
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
          options={choicesOf('erasure.when', WHEN)}
          // The value is one of the options above.
          onChange={(value) => setWhen(value as When)}
        />
        {when === 'on' && (
          <Field name="After" type="datetime-local" label={words('erasure.after')} required />
        )}
        {needsHeir && <Heir besideId={account.Id} />}
        <Field
          name="Reason"
          label={words('erasure.reason')}
          hint={words('erasure.reason.hint')}
          autocomplete="off"
        />
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

function orderOf(when: When, { Reason = '', After, TransferContentTo }: FieldValues) {
  const after = when === 'now' ? new Date().toISOString() : momentOf(After);
  return {
    ...(Reason.trim() !== '' && { Reason: Reason.trim() }),
    ...(after !== undefined && { After: after }),
    ...(TransferContentTo && { TransferContentTo }),
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

const SHOWN_MAX = 10;

/** Asks who gets the content: no guest, and not the account `besideId`. */
function Heir({ besideId }: { besideId: string }) {
  const [search, setSearch] = useState('');
  return (
    <SearchChoice
      search={{ name: 'TransferContentToSearch', label: 'erasure.heir', hint: 'erasure.heir.hint' }}
      onSearch={setSearch}
      result={useQuery('GET /admin/account', { query: { limit: SHOWN_MAX, search } })}
      name="TransferContentTo"
      label="erasure.heir.choose"
      none="erasure.heir.none"
      choiceOf={({ Id, Email, DisplayName, Role }) =>
        Id !== besideId && Role !== 'Guest' && [Id, Email, DisplayName]
      }
    />
  );
}

/** Moves errors about the chosen account to its search field, which can show them. */
function atHeir(problem: Problem): Problem {
  const errors = problem.errors.map((error) =>
    error.pointer === '/TransferContentTo' ? { ...error, pointer: '/TransferContentToSearch' } : error,
  );
  return { ...problem, errors };
}
