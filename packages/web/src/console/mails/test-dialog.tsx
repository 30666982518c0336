import { useLocation } from 'preact-iso';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Sends a test mail through the outbox, the mail worker and the mail server, and opens the screen with its status. */
export function TestDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { callApi, me } = useConsole();
  const { route } = useLocation();
  const refresh = useRefresh();
  return (
    <Dialog title={words('mails.test')} onClose={onClose}>
      <p>{words('mails.test.lead')}</p>
      <Form
        submit={words('mails.test.submit')}
        onSubmit={async ({ Email = '' }) => {
          const result = await callApi('POST /admin/mail/test', { body: { Email } });
          if (!result.ok) return result.problem;
          void refresh('GET /admin/mail');
          onClose();
          route(`/console/mails/${result.value.Id}?sent=1`);
          return undefined;
        }}
      >
        <Field
          name="Email"
          label={words('field.email')}
          type="email"
          autocomplete="off"
          defaultValue={me.Account.Email}
          required
        />
      </Form>
    </Dialog>
  );
}
