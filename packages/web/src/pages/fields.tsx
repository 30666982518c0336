import { Field } from '../ui/form/field.tsx';
import { useText } from '../ui/locale/locale.ts';
import { usePageState } from './page-state.ts';

interface EmailFieldProps {
  name: string;
  autocomplete?: string;
  onFocus?: () => void;
}

/** A field for the account's email address, prefilled if an earlier page has asked for it. */
export function EmailField({ name, autocomplete = 'username', onFocus }: EmailFieldProps) {
  const text = useText();
  const { email } = usePageState();
  return (
    <Field
      name={name}
      label={text('field.email')}
      type="email"
      inputMode="email"
      autocomplete={autocomplete}
      defaultValue={email}
      required
      {...(onFocus && { onFocus })}
    />
  );
}
