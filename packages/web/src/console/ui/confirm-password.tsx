import { call } from '../../ui/api/api.ts';
import { Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { useConsole } from '../api/console-context.ts';
import { useWords } from '../text.ts';
import { ConfirmBySignOn } from './confirm/confirm-by-sign-on.tsx';
import { ConfirmByPasskey, useOwnPasskey } from './confirm/confirm-by-passkey.tsx';
import { Dialog } from './dialog.tsx';

/** Asks again who it is, by what they have, before what only its owner should do; `onEnd` is told whether it was right. */
export function ConfirmPassword({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const words = useWords();
  const { me } = useConsole();
  const passkey = useOwnPasskey() && <ConfirmByPasskey onConfirmed={() => onEnd(true)} />;
  if (!me.Account.HasPassword)
    return (
      <Dialog title={words('confirm.password.title')} onClose={() => onEnd(false)}>
        <ConfirmBySignOn />
        {passkey}
      </Dialog>
    );
  return (
    <Dialog title={words('confirm.password.title')} onClose={() => onEnd(false)}>
      <p>{words('confirm.password.lead')}</p>
      <Form
        submit={words('confirm.password.submit')}
        explanations={{ wrong_password: 'fault.wrong_password' }}
        onSubmit={async ({ Password }) => {
          const result = await call('POST', '/console/session/confirm', { Password });
          if (!result.ok) return result.problem;
          onEnd(true);
          return undefined;
        }}
      >
        <PasswordField name="Password" label={words('field.password')} purpose="current" />
      </Form>
      {passkey}
    </Dialog>
  );
}
