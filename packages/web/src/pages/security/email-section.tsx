import { useState } from 'preact/hooks';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { atField, type Profile } from '../account/own-account.ts';
import { ProofStep } from '../account/proof-step.tsx';
import { PATHS } from '../paths.ts';
import { useProvenChange } from './use-proven-change.ts';

/** Changes the email address. The new one must be confirmed by a mail that is sent to it. */
export function EmailSection({ profile }: { profile: Profile }) {
  const text = useText();
  const [sentTo, setSentTo] = useState<string>();
  const { asked, change, cancel } = useProvenChange('/account/change-email', ({ Email }) => setSentTo(Email));
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
  if (asked !== undefined) {
    return (
      <Section title={text('security.email.title')} lead={lead}>
        <ProofStep
          profile={profile}
          lead={text('security.proof')}
          onProof={(proof) => change(asked, proof)}
          onCancel={cancel}
        />
      </Section>
    );
  }
  return (
    <Section title={text('security.email.title')} lead={lead}>
      {profile.HasPassword ? (
        <Form
          submit={text('security.email.submit')}
          onSubmit={async ({ Email = '', Password = '' }) => {
            const problem = await change({ Email, Password });
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
          <PasswordField name="Password" label={text('field.currentPassword')} purpose="current" />
        </Form>
      ) : (
        <p>{text('security.email.noPassword')}</p>
      )}
    </Section>
  );
}
