import type { Problem } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { hasEmailLogin, useAccountOptions } from '../account-options.ts';
import { atField, type Profile } from '../account/own-account.ts';

interface EmailFormProps {
  profile: Profile;
  onChange: (values: FieldValues) => Promise<Problem | undefined>;
}

/** Asks for a new email address and the password; without one, only where mailed codes open the account. */
export function EmailForm({ profile, onChange }: EmailFormProps) {
  const text = useText();
  const options = useAccountOptions(undefined);
  if (!profile.HasPassword && !hasEmailLogin(options, profile.Role))
    return <p>{text('security.email.noPassword')}</p>;
  return (
    <Form
      submit={text('security.email.submit')}
      onSubmit={async (values) => {
        const problem = await onChange(values);
        return problem && atField(problem, { wrong_password: 'Password' });
      }}
    >
      <Field
        name="Email"
        label={text('field.newEmail')}
        type="email"
        inputMode="email"
        autocomplete="email"
        required
      />
      {profile.HasPassword && (
        <PasswordField name="Password" label={text('field.currentPassword')} purpose="current" />
      )}
    </Form>
  );
}
