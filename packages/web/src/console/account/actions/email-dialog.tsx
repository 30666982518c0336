import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useConsole } from '../../api/console-context.ts';
import { useRefresh } from '../../api/use-query.ts';
import { useWords } from '../../text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SHOWING_ACCOUNTS, type Account } from '../account.ts';
import { canLogIn } from './actions.ts';

/** Changes the email of an account: confirmed by its owner, or at once, which is the only way if they cannot log in. */
export function EmailDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const { Id, Email } = account;
  const mayConfirm = canLogIn(account);
  return (
    <Dialog title={words('account.email')} onClose={onClose}>
      <p>{words(mayConfirm ? 'account.email.effect' : 'account.email.force.effect', { email: Email })}</p>
      <Form
        submit={words('account.email')}
        explanations={{ email_taken: 'problem.email_taken' }}
        onSubmit={async (typed) => {
          const body = {
            Email: typed['Email']?.trim() ?? '',
            Force: !mayConfirm || typed['Force'] !== undefined,
          };
          const result = await callApi('POST /admin/account/{id}/change-email', { path: { id: Id }, body });
          if (!result.ok) return result.problem;
          toast(words(body.Force ? 'account.done' : 'account.email.mailed', { email: body.Email }));
          onClose();
          await refresh(...SHOWING_ACCOUNTS);
          return undefined;
        }}
      >
        <Field name="Email" type="email" label={words('account.email.new')} autocomplete="off" required />
        {mayConfirm && <Checkbox name="Force">{words('account.email.force')}</Checkbox>}
      </Form>
    </Dialog>
  );
}
