import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { SHOWING_ERASURES, type Account } from '../account/account.ts';
import { useConsole } from '../api/console-context.ts';
import { useQuery, useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemBox } from '../ui/layout/state.tsx';
import { momentOf } from '../ui/moment.ts';
import { Time } from '../ui/time.tsx';
import { AccountChoice } from './account-choice.tsx';
import { usePendingErasure } from './use-pending-erasure.ts';

type When = 'later' | 'now' | 'on';
const WHEN: readonly When[] = ['later', 'now', 'on'];

/** Asks when and why to erase an account, and who gets its content. Its email must be typed as a confirmation. */
export function EraseDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const [when, setWhen] = useState<When>('later');
  const [conflict, setConflict] = useState<Problem>();
  const content = useQuery('GET /admin/account/{id}/content', { path: { id: account.Id } });
  // Content that it owns may be on a later page of the list: then the API responds with a conflict.
  const needsHeir =
    conflict !== undefined || content.data?.Items.some(({ Relation }) => Relation === 'Owner');
  const erase = async (typed: FieldValues): Promise<Problem | undefined> => {
    if (typed['Confirmation']?.trim().toLowerCase() !== account.Email.toLowerCase()) return NOT_TYPED;
    const { Reason = '', TransferContentTo } = typed;
    const after = when === 'now' ? new Date().toISOString() : momentOf(typed['After'] ?? '');
    const result = await callApi('DELETE /admin/account/{id}', {
      path: { id: account.Id },
      body: {
        ...(Reason.trim() !== '' && { Reason: Reason.trim() }),
        ...(after !== undefined && { After: after }),
        ...(TransferContentTo && { TransferContentTo }),
      },
    });
    if (!result.ok) {
      const { problem } = result;
      setConflict(problem.code === 'conflict' ? problem : undefined);
      return problem.code === 'conflict' ? undefined : atHeir(problem);
    }
    toast(words('erasure.done'));
    onClose();
    await refresh(...SHOWING_ERASURES);
    return undefined;
  };
  return (
    <Dialog title={words('erasure.erase')} onClose={onClose}>
      <OwnWish account={account} />
      <p>{words('erasure.effect', { email: account.Email })}</p>
      {conflict && <ProblemBox problem={conflict} />}
      <Form submit={words('erasure.erase')} kind="danger" onSubmit={erase}>
        <WhenFields when={when} onChange={setWhen} />
        {needsHeir && <AccountChoice name="TransferContentTo" besideId={account.Id} />}
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

/** Warns that the owner has already requested the erasure, and that an administrator's order replaces this request. */
function OwnWish({ account }: { account: Account }) {
  const words = useWords();
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

/** When to erase: after the waiting period, now, or at a given time. */
function WhenFields({ when, onChange }: { when: When; onChange: (when: When) => void }) {
  const words = useWords();
  return (
    <>
      <Select
        name="When"
        label={words('erasure.when')}
        defaultValue="later"
        options={WHEN.map((value) => ({ value, words: words(`erasure.when.${value}`) }))}
        // The value is one of the options above.
        onChange={(value) => onChange(value as When)}
      />
      {when === 'on' && <Field name="After" type="datetime-local" label={words('erasure.after')} required />}
    </>
  );
}

/** Has the same form as an error of the API. */
const NOT_TYPED: Problem = {
  status: 400,
  code: 'invalid_request',
  errors: [{ pointer: '/Confirmation', message: 'must be the email', code: 'not_same' }],
  body: {},
};

/** Moves errors about the chosen account to its search field, which can show them. */
function atHeir(problem: Problem): Problem {
  const errors = problem.errors.map((error) =>
    error.pointer === '/TransferContentTo' ? { ...error, pointer: '/TransferContentToSearch' } : error,
  );
  return { ...problem, errors };
}
