import { useState } from 'preact/hooks';
import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { PasskeyIcon } from '../../../ui/icon.tsx';
import { Items } from '../../../ui/layout/items.tsx';
import { Notice } from '../../../ui/layout/notice.tsx';
import { Row } from '../../../ui/layout/row.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { AddressHint } from '../../../ui/passkey/address-hint.tsx';
import { isAtAddress, supportsPasskeys } from '../../../ui/passkey/passkey.ts';
import { problemText } from '../../../ui/api/problem-text.ts';
import { RecoveryCodes } from '../../../ui/two-factor/recovery-codes.tsx';
import { Loaded } from '../../account/loaded.tsx';
import type { Profile } from '../../account/own-account.ts';
import { usePageState } from '../../page-state.ts';
import { OtherSessions } from '../../sessions/other-sessions.tsx';
import { OwnerProof } from '../owner-proof.tsx';
import { MailCodeStep } from '../mail-code-step.tsx';
import { PasskeyItem } from './passkey-item.tsx';
import { usePasskeys } from './use-passkeys.ts';

/** Adds, renames and deletes passkeys. */
export function PasskeyRow({ profile, reload }: { profile: Profile; reload: () => Promise<void> }) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const passkeys = usePasskeys();
  const { own, codes, changes, mailed } = passkeys;
  const items = own.value?.Items ?? [];
  const forget = (): void => {
    passkeys.forgetCodes();
    void reload();
  };
  return (
    <Row
      icon={<PasskeyIcon />}
      title={text('passkey.title')}
      state={items.map(({ Name }) => Name).join(', ') || text(own.value ? 'passkey.none' : 'own.loading')}
      action={{
        words: text(items.length > 0 ? 'row.manage' : 'passkey.begin'),
        onPress: () => setOpen(true),
      }}
      onCancel={() => {
        passkeys.cancel();
        setOpen(false);
      }}
      isList={items.length > 0 && mailed === undefined && passkeys.asked === undefined}
      notice={changes > 0 && <OtherSessions key={changes} />}
      lead={text('passkey.lead')}
    >
      {isOpen &&
        (codes !== undefined ? (
          <RecoveryCodes codes={codes} onDone={forget} />
        ) : mailed !== undefined ? (
          <MailCodeStep email={profile.Email} onCode={mailed} />
        ) : (
          <Manage profile={profile} passkeys={passkeys} />
        ))}
    </Row>
  );
}

/** The passkeys, and the form for another one. */
function Manage({ profile, passkeys }: { profile: Profile; passkeys: ReturnType<typeof usePasskeys> }) {
  const text = useText();
  const { hasReset } = usePageState();
  const { own, problem, asked, attempt, add, remove } = passkeys;
  return (
    <>
      {problem && (
        <Notice meaning="danger">
          <p>{problemText(problem, text, { conflict: 'passkey.needed' })}</p>
        </Notice>
      )}
      {asked && <OwnerProof profile={profile} onProof={asked} />}
      <Loaded own={own}>
        {({ Items: items }) =>
          items.length > 0 && (
            <>
              {hasReset && <Notice meaning="information">{text('passkey.afterReset')}</Notice>}
              <Items>
                {items.map((passkey) => (
                  <PasskeyItem
                    key={passkey.Id}
                    passkey={passkey}
                    onRenamed={() => void own.reload()}
                    onDelete={() => attempt(remove(passkey.Id))}
                  />
                ))}
              </Items>
            </>
          )
        }
      </Loaded>
      {!asked && <Addition onAdd={(name) => attempt(add(name))} />}
    </>
  );
}

function Addition({ onAdd }: { onAdd: (name: string) => Promise<void> }) {
  const text = useText();
  const [added, setAdded] = useState(0);
  if (isAtAddress()) return <AddressHint />;
  if (!supportsPasskeys()) return <p>{text('passkey.unknown')}</p>;
  return (
    <Form
      key={added}
      submit={text('passkey.add')}
      busyWords={text('passkey.waiting')}
      onSubmit={async ({ NewName = '' }) => {
        await onAdd(NewName.trim());
        setAdded(added + 1);
        return undefined;
      }}
    >
      <Field
        name="NewName"
        label={text('passkey.newName')}
        hint={text('passkey.newName.hint')}
        autocomplete="off"
      />
    </Form>
  );
}
