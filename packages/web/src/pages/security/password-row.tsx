import { useState } from 'preact/hooks';
import { Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { LockIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Row } from '../../ui/layout/row.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { atField, type Profile } from '../account/own-account.ts';
import { ProofStep } from '../account/proof-step.tsx';
import { PATHS } from '../paths.ts';
import { useProvenChange } from './use-proven-change.ts';

/** Changes the password. The current one is required, and the second factor if there is one. */
export function PasswordRow({ profile }: { profile: Profile }) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const { asked, change, cancel } = useProvenChange('/account/change-password', () => {
    setChanged(true);
    setOpen(false);
  });
  const open = (): void => {
    setChanged(false);
    setOpen(true);
  };
  const { HasPassword, Email } = profile;
  return (
    <Row
      icon={<LockIcon />}
      title={text('security.password.title')}
      state={text(HasPassword ? 'security.password.set' : 'security.password.none')}
      action={
        HasPassword
          ? { words: text('row.change'), onPress: open }
          : { words: text('security.password.choose'), href: PATHS.forgotPassword }
      }
      onCancel={() => {
        cancel();
        setOpen(false);
      }}
      notice={
        isChanged && (
          <Notice meaning="success">
            <p>{text('security.password.changed')}</p>
          </Notice>
        )
      }
      lead={asked === undefined && text('security.password.lead')}
    >
      {isOpen &&
        (asked !== undefined ? (
          <ProofStep
            profile={profile}
            lead={text('security.proof')}
            onProof={(proof) => change(asked, proof)}
          />
        ) : (
          <Form
            submit={text('security.password.submit')}
            onSubmit={async ({ CurrentPassword = '', Password = '' }) => {
              const problem = await change({ CurrentPassword, Password });
              return problem && atField(problem, { wrong_password: 'CurrentPassword' });
            }}
          >
            <UserNameForManagers email={Email} />
            <PasswordField name="CurrentPassword" label={text('field.currentPassword')} purpose="current" />
            <PasswordField name="Password" label={text('field.newPassword')} purpose="new" />
          </Form>
        ))}
    </Row>
  );
}

/** Tells password managers which account the password belongs to. */
function UserNameForManagers({ email }: { email: string }) {
  return <input type="text" name="Username" autocomplete="username" value={email} readOnly hidden />;
}
