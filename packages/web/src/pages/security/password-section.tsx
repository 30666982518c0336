import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { atField, useSignedOut, type Profile } from '../account/own-account.ts';
import { PATHS } from '../paths.ts';

/** Changes the password. The current one is required. */
export function PasswordSection({ profile }: { profile: Profile }) {
  const text = useText();
  const leave = useSignedOut();
  const [changes, setChanges] = useState(0);
  if (!profile.HasPassword) {
    return (
      <Section title={text('security.password.title')} lead={text('security.password.none')}>
        <div>
          <ButtonLink href={PATHS.forgotPassword}>{text('security.password.choose')}</ButtonLink>
        </div>
      </Section>
    );
  }
  return (
    <Section title={text('security.password.title')} lead={text('security.password.lead')}>
      {changes > 0 && (
        <Notice key={changes} meaning="success">
          <p>{text('security.password.changed')}</p>
        </Notice>
      )}
      <Form
        key={changes}
        submit={text('security.password.submit')}
        onSubmit={async ({ CurrentPassword, Password }) => {
          const result = await call('POST', '/account/change-password', { CurrentPassword, Password });
          if (result.ok) setChanges(changes + 1);
          else if (!leave(result.problem))
            return atField(result.problem, { wrong_password: 'CurrentPassword' });
          return undefined;
        }}
      >
        <UserNameForManagers email={profile.Email} />
        <PasswordField name="CurrentPassword" label={text('field.currentPassword')} purpose="current" />
        <PasswordField name="Password" label={text('field.newPassword')} purpose="new" />
      </Form>
    </Section>
  );
}

/** Tells password managers which account the password belongs to. */
function UserNameForManagers({ email }: { email: string }) {
  return <input type="text" name="Username" autocomplete="username" value={email} readOnly hidden />;
}
