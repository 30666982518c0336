import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useConsole } from '../../api/console-context.ts';
import { useRefresh } from '../../api/use-query.ts';
import { useWords } from '../../text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SHOWING_ACCOUNTS, type Account } from '../account.ts';
import { BanFields, banOf } from './ban-fields.tsx';

/** Disables an account, for a time or until an administrator enables it; or changes for how long and why it is. */
export function BanDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const { Id, Email, IsDisabled, DisabledUntil, DisabledReason, TellReason } = account;
  return (
    <Dialog title={words(IsDisabled ? 'account.ban' : 'account.disable')} onClose={onClose}>
      {!IsDisabled && <p>{words('account.disable.effect', { email: Email })}</p>}
      <Form
        submit={words(IsDisabled ? 'account.edit.submit' : 'account.disable')}
        kind={IsDisabled ? 'primary' : 'danger'}
        onSubmit={async (typed) => {
          const reason = typed['Reason']?.trim() ?? '';
          const body = { ...banOf(typed), ...(reason !== '' && { Reason: reason }) };
          const result = await callApi('PATCH /admin/account/{id}', { path: { id: Id }, body });
          if (!result.ok) return result.problem;
          toast(words('account.done'));
          onClose();
          await refresh(...SHOWING_ACCOUNTS);
          return undefined;
        }}
      >
        <Field
          name="Reason"
          label={words('accounts.bulk.reason')}
          hint={words('ban.reason.hint')}
          autocomplete="off"
          defaultValue={DisabledReason ?? ''}
        />
        <BanFields until={DisabledUntil} tells={TellReason} />
      </Form>
    </Dialog>
  );
}
