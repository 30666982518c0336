import { call } from '../../../ui/api/api.ts';
import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { PasswordField } from '../../../ui/form/password-field.tsx';
import { useConsole } from '../../api/console-context.ts';
import { useWords } from '../../text.ts';
import { ConfirmByPasskey, useOwnPasskey } from './confirm-by-passkey.tsx';
import { Dialog } from '../dialog.tsx';
import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '../../api/call-api.ts';
import { ProviderButtons } from '../../sign-in/sign-on.tsx';

/**
 * Asks the administrator to confirm their identity before a sensitive action, with one of the account's sign-in
 * methods. `onEnd` receives the result.
 */
export function ConfirmPassword({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const words = useWords();
  const { HasPassword, ConfirmsWithCode } = useConsole().me.Account;
  const passkey = useOwnPasskey() && <ConfirmByPasskey onConfirmed={() => onEnd(true)} />;
  if (!HasPassword && !ConfirmsWithCode)
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
        explanations={{ wrong_password: 'fault.wrong_password', wrong_code: 'fault.wrong_code' }}
        onSubmit={async ({ Password, TwoFactorCode }) => {
          const shown = ConfirmsWithCode ? { TwoFactorCode } : { Password };
          const result = await call('POST', '/console/session/confirm', shown);
          if (!result.ok) return result.problem;
          onEnd(true);
          return undefined;
        }}
      >
        {ConfirmsWithCode ? (
          <Field
            name="TwoFactorCode"
            label={words('confirm.code')}
            code
            autocomplete="one-time-code"
            required
          />
        ) : (
          <PasswordField name="Password" label={words('field.password')} purpose="current" />
        )}
      </Form>
      {passkey}
      {!HasPassword && <ConfirmBySignOn />}
    </Dialog>
  );
}

type Options = Answer<'GET /console/options'>;

/** Confirms the identity of administrators without a password: they sign on at a provider, and return here. */
function ConfirmBySignOn() {
  const words = useWords();
  const [options, setOptions] = useState<Options>();
  useEffect(() => {
    void call<Options>('GET', '/console/options').then((result) =>
      setOptions(result.ok ? result.value : undefined),
    );
  }, []);
  return (
    <>
      <p>{words('confirm.signOn.lead')}</p>
      {options && <ProviderButtons options={options} confirms />}
    </>
  );
}
