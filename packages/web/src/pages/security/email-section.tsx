import { useState } from 'preact/hooks';
import { ButtonLink } from '../../ui/form/button.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { Section } from '../../ui/layout/section.tsx';
import type { Profile } from '../account/own-account.ts';
import { ProofStep } from '../account/proof-step.tsx';
import { PATHS } from '../paths.ts';
import { EmailForm } from './email-form.tsx';
import { MailCodeStep } from './mail-code-step.tsx';
import { useProvenChange } from './use-proven-change.ts';

/** Changes the email address. The new one must be confirmed by a mail that is sent to it. */
export function EmailSection({ profile }: { profile: Profile }) {
  const text = useText();
  const [sentTo, setSentTo] = useState<string>();
  const { asked, mailed, change, cancel } = useProvenChange('/account/change-email', ({ Email }) =>
    setSentTo(Email),
  );
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
  if (mailed !== undefined) {
    const { values, proof } = mailed;
    return (
      <Section title={text('security.email.title')} lead={lead}>
        <MailCodeStep
          email={profile.Email}
          onCode={(shown) => change(values, { ...proof, ...shown })}
          onCancel={cancel}
        />
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
      <EmailForm profile={profile} onChange={change} />
    </Section>
  );
}
