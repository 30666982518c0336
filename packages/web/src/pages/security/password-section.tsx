import { useState } from 'preact/hooks';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { atField, type Profile } from '../account/own-account.ts';
import { ProofStep } from '../account/proof-step.tsx';
import { PATHS } from '../paths.ts';
import { useProvenChange } from './use-proven-change.ts';

/** Changes the password. The current one is required, and the second factor if there is one. */
export function PasswordSection({ profile }: { profile: Profile }) {
  const text = useText();
  const [changes, setChanges] = useState(0);
  const { asked, change, cancel } = useProvenChange('/account/change-password', () =>
    setChanges(changes + 1),
  );
  if (!profile.HasPassword) {
    return (
      <Section title={text('security.password.title')} lead={text('security.password.none')}>
        <div>
          <ButtonLink href={PATHS.forgotPassword}>{text('security.password.choose')}</ButtonLink>
        </div>
      </Section>
    );
  }
  if (asked !== undefined) {
    return (
      <Section title={text('security.password.title')} lead={text('security.password.lead')}>
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
    <Section title={text('security.password.title')} lead={text('security.password.lead')}>
      {changes > 0 && (
        <Notice key={changes} meaning="success">
          <p>{text('security.password.changed')}</p>
        </Notice>
      )}
      <Form
        key={changes}
        submit={text('security.password.submit')}
        onSubmit={async ({ CurrentPassword = '', Password = '' }) => {
          const problem = await change({ CurrentPassword, Password });
          return problem && atField(problem, { wrong_password: 'CurrentPassword' });
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
