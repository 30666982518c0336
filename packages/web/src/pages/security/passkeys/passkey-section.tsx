import { Button } from '../../../ui/form/button.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { Notice } from '../../../ui/layout/notice.tsx';
import { AddressHint } from '../../../ui/passkey/address-hint.tsx';
import { isAtAddress, supportsPasskeys } from '../../../ui/passkey/passkey.ts';
import { problemText } from '../../../ui/api/problem-text.ts';
import { RecoveryCodes } from '../../../ui/two-factor/recovery-codes.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { Loaded } from '../../account/loaded.tsx';
import type { Profile } from '../../account/own-account.ts';
import { usePageState } from '../../page-state.ts';
import styles from '../../sessions/sessions.module.css';
import { OtherSessions } from '../../sessions/other-sessions.tsx';
import { OwnerProof } from '../owner-proof.tsx';
import { MailCodeStep } from '../mail-code-step.tsx';
import { PasskeyItem } from './passkey-item.tsx';
import { usePasskeys } from './use-passkeys.ts';

/** Adds, renames and deletes passkeys. */
export function PasskeySection({ profile, reload }: { profile: Profile; reload: () => Promise<void> }) {
  const text = useText();
  const { hasReset } = usePageState();
  const { own, problem, asked, mailed, codes, changes, ...act } = usePasskeys();
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
            act.forgetCodes();
            void reload();
          }}
        />
      )}
      {changes > 0 && <OtherSessions key={changes} />}
      {asked && <OwnerProof profile={profile} onProof={asked} />}
      {mailed && <MailCodeStep email={profile.Email} onCode={mailed} onCancel={act.forgetMailed} />}
      <Loaded own={own}>
        {({ Items }) =>
          Items.length > 0 && (
            <>
              {hasReset && <Notice meaning="information">{text('passkey.afterReset')}</Notice>}
              <ul class={styles['list']}>
                {Items.map((passkey) => (
                  <PasskeyItem
                    key={passkey.Id}
                    passkey={passkey}
                    onRenamed={() => void own.reload()}
                    onDelete={() => void act.attempt(act.remove(passkey.Id))}
                  />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      <Addition onAdd={() => void act.attempt(act.add)} />
    </Section>
  );
}

function Addition({ onAdd }: { onAdd: () => void }) {
  const text = useText();
  if (isAtAddress()) return <AddressHint />;
  if (!supportsPasskeys()) return <p>{text('passkey.unknown')}</p>;
  return (
    <div>
      <Button kind="primary" onClick={onAdd}>
        {text('passkey.add')}
      </Button>
    </div>
  );
}
