import { Field } from '../../ui/form/field.tsx';
import { useText } from '../../ui/locale/locale.ts';

/** A field for a code of the authenticator app. If `takesRecovery`, it also accepts a recovery code. */
export function OwnCodeField({ takesRecovery }: { takesRecovery: boolean }) {
  const text = useText();
  return (
    <Field
      name="TwoFactorCode"
      label={text(takesRecovery ? 'field.anyCode' : 'field.code')}
      code
      inputMode={takesRecovery ? 'text' : 'numeric'}
      autocomplete="one-time-code"
      required
    />
  );
}
