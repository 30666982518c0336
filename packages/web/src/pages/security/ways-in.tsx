import type {
  BeginIdentityLinkResponse,
  BeginPasskeyResponse,
  NewPasskey,
  OwnIdentity,
  Passkey,
} from 'gatehouse-client';
import { useEffect, useState } from 'preact/hooks';
import { createPasskey, isAtAddress, supportsPasskeys } from '../../sign-in/passkey.ts';
import { AddressHint } from '../../sign-in/passkey-button.tsx';
import { expectSignOn, signOnFailure, takeSignOn } from '../../sign-in/sign-on.ts';
import { call, type Change, change, problemText, type Result } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { text } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { Item, OpenItem, Row, type RowProps } from '../../ui/row.tsx';
import { When } from '../../ui/time.tsx';
import { RecoveryCodes } from '../../ui/two-factor.tsx';
import { useAccountOptions } from '../account-options.ts';
import { OwnItems, useAccount, useOwn, useSignedOut } from '../account/own-account.tsx';
import { MailCodeStep, OwnerProof, useProven } from '../account/proof.tsx';
import { usePage } from '../page.ts';
import { OtherSessions } from '../sessions/sessions.tsx';

/** What the account has of one kind that opens it, and the proof that changing it may require. */
function useWaysIn<T>(path: `/${string}`) {
  const own = useOwn<{ Items: readonly T[] }>(path);
  const [changes, setChanges] = useState(0);
  const changed = (): Promise<void> => {
    setChanges(changes + 1);
    return own.reload();
  };
  return { ...useProven(), own, items: own.value?.Items ?? [], changes, changed };
}

interface WaysInRowProps extends Pick<RowProps, 'icon' | 'isList' | 'notice' | 'children'> {
  /** Begins the keys of its texts. */
  words: 'passkey' | 'identity';
  ways: ReturnType<typeof useWaysIn>;
  names: readonly string[];
}

function WaysInRow({ words, ways, names, notice, children, ...row }: WaysInRowProps) {
  return (
    <Row
      {...row}
      title={text(`${words}.title`)}
      state={names.join(', ') || text(ways.own.value ? `${words}.none` : 'own.loading')}
      action={{ words: text(names.length > 0 ? 'row.manage' : `${words}.begin`), onPress: ways.open }}
      onCancel={ways.cancel}
      notice={notice ?? (ways.changes > 0 && <OtherSessions key={ways.changes} />)}
      lead={text(`${words}.lead`)}
    >
      {ways.isOpen && children}
    </Row>
  );
}

/** A warning after a reset of the password, which does not remove them. */
function AfterReset({ words, items }: Pick<WaysInRowProps, 'words'> & { items: readonly unknown[] }) {
  const { hasReset } = usePage();
  if (!hasReset || items.length === 0) return null;
  return <Notice meaning="information">{text(`${words}.afterReset`)}</Notice>;
}

export function PasskeyRow() {
  const { reload } = useAccount();
  const passkeys = usePasskeys();
  const { items, codes, mailed } = passkeys;
  const forget = (): void => {
    passkeys.forgetCodes();
    void reload();
  };
  return (
    <WaysInRow
      words="passkey"
      icon="passkey"
      ways={passkeys}
      names={items.map(({ Name }) => Name)}
      isList={items.length > 0 && mailed === undefined && passkeys.asked === undefined}
    >
      {codes !== undefined ? (
        <RecoveryCodes codes={codes} onDone={forget} />
      ) : mailed !== undefined ? (
        <MailCodeStep onCode={mailed} />
      ) : (
        <ManagePasskeys passkeys={passkeys} />
      )}
    </WaysInRow>
  );
}

function usePasskeys() {
  const leave = useSignedOut();
  const ways = useWaysIn<Passkey>('/account/passkey');
  const [codes, setCodes] = useState<readonly string[]>();
  const add = (name: string) =>
    ways.attempt(async (proof) => {
      const added = await addPasskey(proof, name);
      if (added?.ok === false) return leave(added.problem) ? undefined : added.problem;
      if (added !== undefined) setCodes(added.value.RecoveryCodes);
      await (added === undefined ? ways.own.reload() : ways.changed());
      return undefined;
    });
  const remove = (id: string) => ways.press(`DELETE /account/passkey/${id}`, {}, ways.changed);
  return { ...ways, codes, forgetCodes: () => setCodes(undefined), add, remove };
}

/** Adds a passkey; `undefined` if the user or the browser cancels. After a recent login the proof may be empty. */
export async function addPasskey(proof: object, name: string): Promise<Result<NewPasskey> | undefined> {
  const begun = await call<BeginPasskeyResponse>('POST /account/passkey/options', proof);
  if (!begun.ok) return begun;
  const { PasskeyToken, Options } = begun.value;
  const Credential = await createPasskey(Options);
  if (Credential === undefined) return undefined;
  return call('POST /account/passkey', { PasskeyToken, Credential, ...(name !== '' && { Name: name }) });
}

type Passkeys = ReturnType<typeof usePasskeys>;

function ManagePasskeys({ passkeys }: { passkeys: Passkeys }) {
  const { own, items, problem, asked, add } = passkeys;
  return (
    <>
      <Fault problem={problem} explanations={{ conflict: 'passkey.needed' }} />
      {asked && <OwnerProof onProof={asked} />}
      <AfterReset words="passkey" items={items} />
      <OwnItems own={own}>
        {(passkey) => <PasskeyItem key={passkey.Id} passkey={passkey} passkeys={passkeys} />}
      </OwnItems>
      {!asked && <Addition onAdd={add} />}
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

function PasskeyItem({ passkey, passkeys }: { passkey: Passkey; passkeys: Passkeys }) {
  const [isRenaming, setRenaming] = useState(false);
  const { CreatedAt, LastUsedAt } = passkey;
  const rename = (typed: FieldValues) =>
    change(`PUT /account/passkey/${passkey.Id}`, typed, () => {
      setRenaming(false);
      void passkeys.own.reload();
    });
  if (isRenaming) {
    return (
      <OpenItem>
        <Form submit={text('passkey.save')} onSubmit={rename}>
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
        { words: text('passkey.delete'), kind: 'danger', onPress: () => passkeys.remove(passkey.Id) },
      ]}
    />
  );
}

/** Renders nothing if the installation has no providers. */
export function IdentityRow() {
  const identities = useIdentities();
  const { own, items, providers, problem, failure, link, unlink } = identities;
  if (items.length === 0 && providers.length === 0) return null;
  const refusal = problem ? problemText(problem, text, PROBLEMS) : failure && signOnFailure(failure);
  return (
    <WaysInRow
      words="identity"
      icon="provider"
      ways={identities}
      names={items.map(({ Name, Provider }) => Name ?? Provider)}
      isList={identities.asked === undefined}
      notice={refusal && <Notice meaning="danger">{refusal}</Notice>}
    >
      {identities.asked ? (
        <OwnerProof onProof={identities.asked} />
      ) : (
        <>
          <AfterReset words="identity" items={items} />
          <OwnItems own={own}>
            {({ Number: number, Name, Provider, LinkedAt }) => (
              <Item
                key={number}
                title={Name ?? Provider}
                facts={[<When words="identity.since" at={LinkedAt} />]}
                actions={[{ words: text('identity.unlink'), kind: 'danger', onPress: () => unlink(number) }]}
              />
            )}
          </OwnItems>
          {own.value &&
            providers
              .filter(({ Id }) => !items.some(({ Provider }) => Provider === Id))
              .map(({ Id, Name }) => (
                <div key={Id}>
                  <Button icon="provider" onClick={() => link(Id)}>
                    {text('identity.link', { provider: Name })}
                  </Button>
                </div>
              ))}
        </>
      )}
    </WaysInRow>
  );
}

const PROBLEMS = {
  conflict: 'identity.conflict',
  identity_taken: 'identity.taken',
  invalid_code: 'signOn.failed.invalid_attempt',
} as const;

function useIdentities() {
  const { Role } = useAccount().profile;
  const options = useAccountOptions();
  const providers = Role === 'Guest' ? [] : (options?.Providers ?? []);
  const ways = useWaysIn<OwnIdentity>('/account/identity');
  const { said, forgetFragment } = usePage();
  const [failure, setFailure] = useState<string>();
  const press = (...asked: Change): Promise<void> => {
    setFailure(undefined);
    return ways.press(...asked);
  };
  useEffect(() => {
    const back = takeSignOn(said['IdentityCode'], said);
    if (back === undefined) return;
    forgetFragment();
    if ('error' in back) setFailure(back.error);
    else void press('POST /account/identity', { IdentityCode: back.code }, ways.changed);
  }, []);
  const link = (provider: string) =>
    press(`POST /account/identity/${provider}`, {}, (begun: BeginIdentityLinkResponse) => {
      expectSignOn(begun.State, {});
      location.assign(begun.Url);
    });
  const unlink = (Number: number) => press('DELETE /account/identity', { Number }, ways.changed);
  const cancel = (): void => {
    setFailure(undefined);
    ways.cancel();
  };
  return { ...ways, providers, failure, link, unlink, cancel };
}
