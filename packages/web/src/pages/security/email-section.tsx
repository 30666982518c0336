import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { atField, useSignedOut, type Profile } from '../account/own-account.ts';
import { PATHS } from '../paths.ts';

/** Changes the email address. The new one must be confirmed by a mail that is sent to it. */
export function EmailSection({ profile }: { profile: Profile }) {
  const text = useText();
  const leave = useSignedOut();
  const [sentTo, setSentTo] = useState<string>();
  const lead = text('security.email.lead', { email: profile.Email });
  if (sentTo !== undefined) {
    return (
      <Section title={text('security.email.title')} lead={lead}>
        <Notice meaning="success">
          <p>{text('security.email.sent', { email: sentTo })}</p>
        </Notice>
        <div>
          <ButtonLink href={PATHS.confirmEmail}>{text('security.email.code')}</ButtonLink>
        </div>
      </Section>
    );
  }
  return (
    <Section title={text('security.email.title')} lead={lead}>
      {profile.HasPassword ? (
        <Form
          submit={text('security.email.submit')}
          onSubmit={async ({ Email = '', Password }) => {
            const result = await call('POST', '/account/change-email', { Email, Password });
            if (result.ok) setSentTo(Email);
            else if (!leave(result.problem)) return atField(result.problem, { wrong_password: 'Password' });
            return undefined;
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
          <PasswordField name="Password" label={text('field.currentPassword')} purpose="current" />
        </Form>
      ) : (
        <p>{text('security.email.noPassword')}</p>
      )}
    </Section>
  );
}
