import { Button } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { isAtAddress, knowsPasskeys } from '../../ui/passkey/passkey.ts';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { problemText } from '../../ui/api/problem-text.ts';
import { RecoveryCodes } from '../../ui/two-factor/recovery-codes.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Loaded } from '../account/loaded.tsx';
import { atField, type Profile } from '../account/own-account.ts';
import styles from '../sessions/sessions.module.css';
import { PasskeyItem } from './passkey-item.tsx';
import { usePasskeys, type Deed } from './use-passkeys.ts';

/** Passkeys: adding, renaming and deleting them. */
export function PasskeySection({ profile, reload }: { profile: Profile; reload: () => Promise<void> }) {
  const text = useText();
  const { own, problem, asked, codes, forgetCodes, add, remove, attempt } = usePasskeys();
  return (
    <Section title={text('passkey.title')} lead={text('passkey.lead')}>
      {problem && (
        <Notice meaning="danger">
          <p>{problemText(problem, text, { conflict: 'passkey.needed' })}</p>
        </Notice>
      )}
      {codes && (
        <RecoveryCodes
          codes={codes}
          onDone={() => {
            forgetCodes();
            void reload();
          }}
        />
      )}
      {asked && <Proof profile={profile} onProof={asked} />}
      <Loaded own={own}>
        {({ Items }) =>
          Items.length > 0 && (
            <ul class={styles['list']}>
              {Items.map((passkey) => (
                <PasskeyItem
                  key={passkey.Id}
                  passkey={passkey}
                  onRenamed={() => void own.reload()}
                  onDelete={() => void attempt(remove(passkey.Id))}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Addition onAdd={() => void attempt(add)} />
    </Section>
  );
}

function Addition({ onAdd }: { onAdd: () => void }) {
  const text = useText();
  if (isAtAddress()) return <p>{text('passkey.address', { address: byName() })}</p>;
  if (!knowsPasskeys()) return <p>{text('passkey.unknown')}</p>;
  return (
    <div>
      <Button kind="primary" onClick={onAdd}>
        {text('passkey.add')}
      </Button>
    </div>
  );
}

/** This machine by its name; other addresses have one that only their operators know. */
function byName(): string {
  return `${location.protocol}//localhost${location.port === '' ? '' : `:${location.port}`}${location.pathname}`;
}

/** Once more who it is: where there is a second factor, by that. */
function Proof({ profile, onProof }: { profile: Profile; onProof: Deed }) {
  const text = useText();
  return (
    <Form
      submit={text('passkey.continue')}
      onSubmit={async (values) => {
        const problem = await onProof(values);
        return problem && atField(problem, { wrong_password: 'Password', wrong_code: 'TwoFactorCode' });
      }}
    >
      {profile.TwoFactorEnabled ? (
        <Field name="TwoFactorCode" label={text('field.code')} code autocomplete="one-time-code" required />
      ) : (
        <PasswordField name="Password" label={text('field.password')} purpose="current" />
      )}
    </Form>
  );
}
