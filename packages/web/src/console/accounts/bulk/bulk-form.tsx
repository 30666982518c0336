import { useState } from 'preact/hooks';
import type { Problem } from '../../../ui/api/api.ts';
import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import type { Look } from '../../bulk/bulk-dialog.tsx';
import type { Target } from '../../list/list.tsx';
import { useWords } from '../../text.ts';
import { ProblemBox } from '../../ui/layout/state.tsx';
import { BanFields } from '../../account/actions.tsx';
import { BULK_CHANGES, changeOf, type BulkName, type Change } from './bulk-changes.ts';
import { ResetMails } from './reset-mails.tsx';

export interface Wanted {
  name: BulkName;
  /** `undefined` for invitations. */
  Change: Change | undefined;
  Reason: string | undefined;
}

interface BulkFormProps {
  target: Target;
  /** Too many accounts, or the last administrator: the API's message says which. */
  conflict: Problem | undefined;
  onSubmit: Look<Wanted>;
  onClose: () => void;
}

/** Asks for the change, and for its reason. Password reset mails do not change accounts, and are sent from here. */
export function BulkForm({ target, conflict, onSubmit, onClose }: BulkFormProps) {
  const words = useWords();
  const [name, setName] = useState<BulkName>('disable');
  const [isReset, setReset] = useState(false);
  const start = (): void => {
    setName('disable');
    setReset(false);
  };
  if (isReset) return <ResetMails target={target} onBack={start} onClose={onClose} />;
  return (
    <>
      {conflict && <ProblemBox problem={conflict} />}
      <Form
        submit={words('bulk.preview')}
        onSubmit={async (typed) => {
          if (name === 'invite') return onSubmit({ name, Change: undefined, Reason: undefined });
          if (name !== 'reset')
            return onSubmit({ name, Change: changeOf(name, typed), Reason: typed['Reason']?.trim() });
          setReset(true);
          return undefined;
        }}
      >
        <Select
          name="Change"
          label={words('accounts.bulk.change')}
          defaultValue="disable"
          options={BULK_CHANGES.map((value) => ({ value, words: words(`accounts.bulk.${value}`) }))}
          onChange={(value) => setName(BULK_CHANGES.find((one) => one === value) ?? 'disable')}
        />
        {name === 'expire' && (
          <Field
            name="ExpiresAt"
            type="datetime-local"
            label={words('account.expires')}
            hint={words('accounts.bulk.expire.hint')}
            required
          />
        )}
        {name === 'disable' && <BanFields />}
        {name !== 'reset' && name !== 'invite' && (
          <Field
            name="Reason"
            label={words('accounts.bulk.reason')}
            hint={words('accounts.bulk.reason.hint')}
          />
        )}
        <p class="quiet">{words(`accounts.bulk.${name}.effect`)}</p>
      </Form>
    </>
  );
}
