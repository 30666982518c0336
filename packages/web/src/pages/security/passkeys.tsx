import type { BeginPasskeyResponse, ListOwnPasskeysResponse, NewPasskey, Passkey } from 'gatehouse-client';
import { useState } from 'preact/hooks';
import { call, type Problem, type Result } from '../../ui/api.ts';
import { Field } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { PasskeyIcon } from '../../ui/icon.tsx';
import { text } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { createPasskey, isAtAddress, supportsPasskeys } from '../../sign-in/passkey.ts';
import { AddressHint } from '../../sign-in/passkey-button.tsx';
import { Item, Items, OpenItem, Row } from '../../ui/row.tsx';
import { When } from '../../ui/time.tsx';
import { RecoveryCodes } from '../../ui/two-factor.tsx';
import { Loaded, useAccount, useOwn, useOwnCall, useSignedOut } from '../account/own-account.tsx';
import { MailCodeStep, OwnerProof, type ProofAction, useProven } from '../account/proof.tsx';
import { usePageState } from '../page-state.ts';
import { OtherSessions } from '../sessions/sessions.tsx';

export function PasskeyRow() {
  const { reload } = useAccount();
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
        onPress: passkeys.open,
      }}
      onCancel={passkeys.cancel}
      isList={items.length > 0 && mailed === undefined && passkeys.asked === undefined}
      notice={changes > 0 && <OtherSessions key={changes} />}
      lead={text('passkey.lead')}
    >
      {passkeys.isOpen &&
        (codes !== undefined ? (
          <RecoveryCodes codes={codes} onDone={forget} />
        ) : mailed !== undefined ? (
          <MailCodeStep onCode={mailed} />
        ) : (
          <Manage passkeys={passkeys} />
        ))}
    </Row>
  );
}

function Manage({ passkeys }: { passkeys: ReturnType<typeof usePasskeys> }) {
  const { hasReset } = usePageState();
  const { own, problem, asked, attempt, add, remove } = passkeys;
  return (
    <>
      <Fault problem={problem} explanations={{ conflict: 'passkey.needed' }} />
      {asked && <OwnerProof onProof={asked} />}
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

interface PasskeyItemProps {
  passkey: Passkey;
  onRenamed: () => void;
  onDelete: () => Promise<void>;
}

function PasskeyItem({ passkey, onRenamed, onDelete }: PasskeyItemProps) {
  const [isRenaming, setRenaming] = useState(false);
  const { CreatedAt, LastUsedAt } = passkey;
  const rename = async (Name: string): Promise<Problem | undefined> => {
    const result = await call(`PUT /account/passkey/${passkey.Id}`, { Name });
    if (!result.ok) return result.problem;
    setRenaming(false);
    onRenamed();
    return undefined;
  };
  if (isRenaming) {
    return (
      <OpenItem>
        <Form submit={text('passkey.save')} onSubmit={async ({ Name = '' }) => rename(Name)}>
          <Field name="Name" label={text('passkey.name')} defaultValue={passkey.Name} required />
        </Form>
      </OpenItem>
    );
  }
  return (
    <Item
      title={passkey.Name}
      facts={[
        <When words="passkey.since" at={CreatedAt} />,
        LastUsedAt !== null && <When words="passkey.used" at={LastUsedAt} />,
      ]}
      actions={[
        { words: text('passkey.rename'), onPress: () => setRenaming(true) },
        { words: text('passkey.delete'), kind: 'danger', onPress: onDelete },
      ]}
    />
  );
}

function usePasskeys() {
  const leave = useSignedOut();
  const ownCall = useOwnCall();
  const own = useOwn<ListOwnPasskeysResponse>('/account/passkey');
  const proven = useProven();
  const [codes, setCodes] = useState<readonly string[]>();
  const [changes, setChanges] = useState(0);
  const add =
    (name: string): ProofAction =>
    async (proof) => {
      const added = await addPasskey(proof, name);
      if (added?.ok === false) return leave(added.problem) ? undefined : added.problem;
      if (added !== undefined) {
        setCodes(added.value.RecoveryCodes);
        setChanges(changes + 1);
      }
      await own.reload();
      return undefined;
    };
  const remove =
    (id: string): ProofAction =>
    (proof) =>
      ownCall(`DELETE /account/passkey/${id}`, proof, () => {
        setChanges(changes + 1);
        return own.reload();
      });
  return { ...proven, own, codes, changes, forgetCodes: () => setCodes(undefined), add, remove };
}

/**
 * Creates a passkey and adds it to the account. `undefined` if the user or the browser cancels.
 *
 * @param proof of the user's identity; empty if the login is recent.
 * @param name as the user will recognize it; if empty, it is named after its authenticator.
 */
export async function addPasskey(proof: object, name: string): Promise<Result<NewPasskey> | undefined> {
  const begun = await call<BeginPasskeyResponse>('POST /account/passkey/options', proof);
  if (!begun.ok) return begun;
  const { PasskeyToken, Options } = begun.value;
  const Credential = await createPasskey(Options);
  if (Credential === undefined) return undefined;
  return call('POST /account/passkey', { PasskeyToken, Credential, ...(name !== '' && { Name: name }) });
}
