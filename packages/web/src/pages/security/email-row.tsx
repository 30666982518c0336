import { useState } from 'preact/hooks';
import { ButtonLink } from '../../ui/form/button.tsx';
import { MailIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Row } from '../../ui/layout/row.tsx';
import { useText } from '../../ui/locale/locale.ts';
import type { Profile } from '../account/own-account.ts';
import { PATHS } from '../paths.ts';
import { ProofStep } from '../account/proof-step.tsx';
import { EmailForm } from './email-form.tsx';
import { MailCodeStep } from './mail-code-step.tsx';
import { useProvenChange } from './use-proven-change.ts';

/** Changes the email address. The new one must be confirmed by a mail that is sent to it. */
export function EmailRow({ profile }: { profile: Profile }) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const proven = useProvenChange('/account/change-email', ({ Email }) => {
    setSentTo(Email);
    setOpen(false);
  });
  const { asked, mailed, change } = proven;
  return (
    <Row
      icon={<MailIcon />}
      title={text('security.email.title')}
      state={profile.Email}
      action={{ words: text('row.change'), onPress: () => setOpen(true) }}
      onCancel={() => {
        proven.cancel();
        setOpen(false);
      }}
      notice={sentTo !== undefined && <Sent email={sentTo} />}
      lead={asked === undefined && mailed === undefined && text('security.email.lead')}
    >
      {isOpen &&
        (mailed !== undefined ? (
          <MailCodeStep
            email={profile.Email}
            onCode={(shown) => change(mailed.values, { ...mailed.proof, ...shown })}
          />
        ) : asked !== undefined ? (
          <ProofStep
            profile={profile}
            lead={text('security.proof')}
            onProof={(proof) => change(asked, proof)}
          />
        ) : (
          <EmailForm profile={profile} onChange={change} />
        ))}
    </Row>
  );
}

function Sent({ email }: { email: string }) {
  const text = useText();
  return (
    <Notice meaning="success">
      <p>{text('security.email.sent', { email })}</p>
      <ButtonLink href={PATHS.confirmEmail}>{text('security.email.code')}</ButtonLink>
    </Notice>
  );
}
