import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import type { Problem } from '../../ui/api/api.ts';
import { Select } from '../../ui/form/select.tsx';
import type { Answer, Input } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords, type TextKey } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import styles from '../ui/dialog.module.css';
import { ProblemBox } from '../ui/layout/state.tsx';
import { useMailKinds } from './use-mail-kinds.ts';

type Filter = NonNullable<Input<'POST /admin/mail/retry'>['body']>['Filter'];

interface Preview {
  filter: Filter;
  found: Answer<'POST /admin/mail/retry'>;
}

/** Sends all matching parked mails again, after a preview with their number. */
export function RetryDialog({ email, onClose }: { email: string | undefined; onClose: () => void }) {
  const words = useWords();
  const kinds = useMailKinds();
  const { callApi } = useConsole();
  const [preview, setPreview] = useState<Preview>();
  const [refusal, setRefusal] = useState<TextKey>();
  return (
    <Dialog title={words('mails.retryAll')} onClose={onClose}>
      {preview ? (
        <Apply preview={preview} onBack={() => setPreview(undefined)} onClose={onClose} />
      ) : (
        <>
          <p>{words('mails.retryAll.lead')}</p>
          {refusal && <Notice meaning="danger">{words(refusal)}</Notice>}
          <Form
            submit={words('mails.retryAll.preview')}
            onSubmit={async (values) => {
              const filter = filterOf(values);
              setRefusal(undefined);
              if (Object.keys(filter).length === 0) {
                setRefusal('mails.retryAll.empty');
                return undefined;
              }
              const result = await callApi('POST /admin/mail/retry', {
                body: { Filter: filter, DryRun: true },
              });
              if (result.ok) setPreview({ filter, found: result.value });
              else if (result.problem.code === 'conflict') setRefusal('mails.retryAll.tooMany');
              else return result.problem;
              return undefined;
            }}
          >
            <Select
              name="Kind"
              label={words('mails.kind')}
              defaultValue=""
              options={[{ value: '', words: words('mails.anyKind') }, ...kinds]}
            />
            <Field name="Email" label={words('mails.to')} autocomplete="off" defaultValue={email ?? ''} />
            <Field
              name="Error"
              label={words('mails.server')}
              hint={words('mails.server.hint')}
              autocomplete="off"
            />
          </Form>
        </>
      )}
    </Dialog>
  );
}

function filterOf(values: FieldValues): Filter {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  return Object.fromEntries(given); // the form fields have the names of the API
}

interface ApplyProps {
  preview: Preview;
  onBack: () => void;
  onClose: () => void;
}

/** Shows the number of mails, and a button that sends them again. */
function Apply({ preview: { filter, found }, onBack, onClose }: ApplyProps) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const apply = async (): Promise<void> => {
    setBusy(true);
    const result = await callApi('POST /admin/mail/retry', { body: { Filter: filter } });
    setBusy(false);
    if (!result.ok) return setProblem(result.problem);
    const { Count } = result.value;
    // Other administrators may have retried some of them since the preview.
    const key = Count === found.Count ? 'mails.retryAll.done' : 'mails.retryAll.doneOther';
    toast(words(key, { count: Count, before: found.Count }));
    await refresh('GET /admin/mail', 'GET /admin/statistics/now');
    onClose();
  };
  return (
    <>
      {problem && <ProblemBox problem={problem} />}
      <Notice meaning={found.Count === 0 ? 'information' : 'warning'}>
        <p>
          {words(found.Count === 0 ? 'mails.retryAll.none' : 'mails.retryAll.count', { count: found.Count })}
        </p>
        {found.Skipped > 0 && <p>{words('mails.retryAll.skipped', { count: found.Skipped })}</p>}
      </Notice>
      <div class={styles['actions']}>
        <Button onClick={onBack}>{words('mails.retryAll.back')}</Button>
        {found.Count > 0 && (
          <Button kind="primary" busy={isBusy} onClick={() => void apply()}>
            {words('mails.retryAll.submit', { count: found.Count })}
          </Button>
        )}
      </div>
    </>
  );
}
