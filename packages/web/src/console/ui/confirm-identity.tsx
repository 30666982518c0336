import { call, post } from '../../ui/api.ts';
import { Field, PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { answerChallenge, canUsePasskeys } from '../../sign-in/passkey.ts';
import { PasskeyButton } from '../../sign-in/passkey-button.tsx';
import { useConsole, useQuery } from '../api/call-api.ts';
import { ProviderButtons, useSignInOptions } from '../sign-in/sign-on.tsx';
import { words } from '../text.ts';
import { Dialog } from './dialog.tsx';

/**
 * Asks the administrator to confirm their identity before a sensitive action, with one of the account's sign-in
 * methods. `onEnd` receives the result.
 */
export function ConfirmPassword({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
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
        onSubmit={({ Password, TwoFactorCode }) => {
          const shown = ConfirmsWithCode ? { TwoFactorCode } : { Password };
          return post('/console/session/confirm', shown, () => onEnd(true));
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

/** Confirms the identity of administrators without a password: they sign on at a provider, and return here. */
function ConfirmBySignOn() {
  const options = useSignInOptions();
  return (
    <>
      <p>{words('confirm.signOn.lead')}</p>
      {options && <ProviderButtons options={options} confirms />}
    </>
  );
}

/** Whether the administrator has a passkey that can be used here. */
function useOwnPasskey(): boolean {
  const { me } = useConsole();
  const own = useQuery('GET /admin/account/{id}/passkey', { path: { id: me.Account.Id } });
  const options = useQuery('GET /console/options');
  return options.data?.Passkeys === true && own.data?.Items[0] !== undefined && canUsePasskeys();
}

function ConfirmByPasskey({ onConfirmed }: { onConfirmed: () => void }) {
  const confirm = () =>
    answerChallenge(call('POST', '/console/session/confirm/passkey'), (signed) =>
      post('/console/session/confirm', signed, onConfirmed),
    );
  return (
    <PasskeyButton
      label={words('confirm.passkey.submit')}
      failed={words('confirm.passkey.failed')}
      onPress={confirm}
    />
  );
}
