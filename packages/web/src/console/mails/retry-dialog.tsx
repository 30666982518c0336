import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import type { Answer, Input } from '../api/call-api.ts';
import { BulkDialog, type Look } from '../bulk/bulk-dialog.tsx';
import { useWords } from '../text.ts';
import { useMailKinds } from './use-mail-kinds.ts';

type Filter = NonNullable<Input<'POST /admin/mail/retry'>['body']>['Filter'];
type Retried = Answer<'POST /admin/mail/retry'>;

/** Sends all matching parked mails again, after a preview with their number. */
export function RetryDialog({ email, onClose }: { email: string | undefined; onClose: () => void }) {
  const words = useWords();
  return (
    <BulkDialog<Filter, Retried>
      title={words('mails.retryAll')}
      form={(look, conflict) => <FilterForm email={email} conflict={conflict} onSubmit={look} />}
      send={(callApi, Filter, preview) =>
        callApi('POST /admin/mail/retry', { body: { Filter, ...(!preview && { DryRun: true }) } })
      }
      refreshes={['GET /admin/mail', 'GET /admin/statistics/now']}
      lead={({ Count: count, Skipped }) => (
        <Notice meaning={count === 0 ? 'information' : 'warning'}>
          <p>{words(count === 0 ? 'mails.retryAll.none' : 'mails.retryAll.count', { count })}</p>
          {Skipped > 0 && <p>{words('mails.retryAll.skipped', { count: Skipped })}</p>}
        </Notice>
      )}
      backLabel={words('mails.retryAll.back')}
      kind="primary"
      action={(count) => words('mails.retryAll.submit', { count })}
      // Other administrators may have retried some of them since the preview.
      message={({ Count: count }, { Count: before }) =>
        words(count === before ? 'mails.retryAll.done' : 'mails.retryAll.doneOther', { count, before })
      }
      onClose={onClose}
    />
  );
}

interface FilterFormProps {
  email: string | undefined;
  conflict: Problem | undefined;
  onSubmit: Look<Filter>;
}

/** Asks which parked mails to send again. */
function FilterForm({ email = '', conflict, onSubmit }: FilterFormProps) {
  const words = useWords();
  const kinds = useMailKinds();
  const [isEmpty, setEmpty] = useState(false);
  const submit = async (values: FieldValues): Promise<Problem | undefined> => {
    const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
    setEmpty(given.length === 0);
    // The form fields have the names of the API.
    return given.length === 0 ? undefined : onSubmit(Object.fromEntries(given));
  };
  return (
    <>
      <p>{words('mails.retryAll.lead')}</p>
      {(isEmpty || conflict) && (
        <Notice meaning="danger">{words(isEmpty ? 'mails.retryAll.empty' : 'mails.retryAll.tooMany')}</Notice>
      )}
      <Form submit={words('mails.retryAll.preview')} onSubmit={submit}>
        <Select
          name="Kind"
          label={words('mails.kind')}
          defaultValue=""
          options={[{ value: '', words: words('mails.anyKind') }, ...kinds]}
        />
        <Field name="Email" label={words('mails.to')} autocomplete="off" defaultValue={email} />
        <Field
          name="Error"
          label={words('mails.server')}
          hint={words('mails.server.hint')}
          autocomplete="off"
        />
      </Form>
    </>
  );
}
