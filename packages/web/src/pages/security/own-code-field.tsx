import { Field } from '../../ui/form/field.tsx';
import { useText } from '../../ui/locale/locale.ts';

/** A code of the authenticator app; `takesRecovery`: or one of the recovery codes. */
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
