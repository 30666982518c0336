import { useState } from 'preact/hooks';
import type { Problem } from '../../../ui/api/api.ts';
import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { useWords } from '../../text.ts';
import { ProblemBox } from '../../ui/layout/state.tsx';
import { BULK_CHANGES, changeOf, type BulkName, type Change } from './bulk-changes.ts';

/** The chosen change; `Change` is `undefined` for password reset mails, which do not change accounts. */
export interface Wanted {
  name: BulkName;
  Change: Change | undefined;
  Reason: string | undefined;
}

/** Asks for the change, and for its reason. */
export function BulkForm({ onSubmit }: { onSubmit: (wanted: Wanted) => Promise<Problem | undefined> }) {
  const words = useWords();
  const [name, setName] = useState<BulkName>('disable');
  const [conflict, setConflict] = useState<Problem>();
  return (
    <>
      {conflict && <ProblemBox problem={conflict} />}
      <Form
        submit={words('bulk.preview')}
        onSubmit={async ({ ExpiresAt = '', Reason }) => {
          const Change = name === 'reset' ? undefined : changeOf(name, ExpiresAt);
          const problem = await onSubmit({ name, Change, Reason: Reason?.trim() });
          // Too many accounts, or the last administrator: the API's message says which.
          setConflict(problem?.code === 'conflict' ? problem : undefined);
          return problem?.code === 'conflict' ? undefined : problem;
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
        {name !== 'reset' && (
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
