import type { BeginIdentityLinkResponse, ListOwnIdentitiesResponse } from 'gatehouse-client';
import { useEffect, useState } from 'preact/hooks';
import { expectSignOn, signOnFailure, takeSignOn } from '../../sign-in/sign-on.ts';
import { problemText } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { ProviderIcon } from '../../ui/icon.tsx';
import { text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Item, Items, Row } from '../../ui/row.tsx';
import { When } from '../../ui/time.tsx';
import { type AccountOptions, useAccountOptions } from '../account-options.ts';
import { Loaded, useAccount, useOwn, useOwnCall } from '../account/own-account.tsx';
import { OwnerProof, type ProofAction, useProven } from '../account/proof.tsx';
import { useFragment, usePageState } from '../page-state.ts';
import { OtherSessions } from '../sessions/sessions.tsx';

/** Renders nothing if the installation has no providers. */
export function IdentityRow() {
  const { Role } = useAccount().profile;
  const options = useAccountOptions();
  const identities = useIdentities();
  const { own, problem, failure, changes } = identities;
  const items = own.value?.Items ?? [];
  const providers = Role === 'Guest' ? [] : (options?.Providers ?? []);
  if (items.length === 0 && providers.length === 0) return null;
  const isFailed = (problem ?? failure) !== undefined;
  return (
    <Row
      icon={<ProviderIcon />}
      title={text('identity.title')}
      state={
        items.map(({ Name, Provider }) => Name ?? Provider).join(', ') ||
        text(own.value ? 'identity.none' : 'own.loading')
      }
      action={{
        words: text(items.length > 0 ? 'row.manage' : 'identity.begin'),
        onPress: identities.open,
      }}
      onCancel={identities.cancel}
      isList={identities.asked === undefined}
      notice={
        isFailed ? (
          <Notice meaning="danger">
            {problem ? problemText(problem, text, PROBLEMS) : signOnFailure(failure ?? '')}
          </Notice>
        ) : (
          changes > 0 && <OtherSessions key={changes} />
        )
      }
      lead={text('identity.lead')}
    >
      {identities.isOpen && <Manage identities={identities} providers={providers} />}
    </Row>
  );
}

const PROBLEMS = {
  conflict: 'identity.conflict',
  identity_taken: 'identity.taken',
  invalid_code: 'signOn.failed.invalid_attempt',
} as const;

interface ManageProps {
  identities: ReturnType<typeof useIdentities>;
  providers: AccountOptions['Providers'];
}

function Manage({ identities, providers }: ManageProps) {
  const { hasReset } = usePageState();
  const { own, asked, attempt, link, unlink } = identities;
  if (asked !== undefined) return <OwnerProof onProof={asked} />;
  return (
    <Loaded own={own}>
      {({ Items: items }) => (
        <>
          {items.length > 0 && (
            <>
              {hasReset && <Notice meaning="information">{text('identity.afterReset')}</Notice>}
              <Items>
                {items.map((identity) => (
                  <Item
                    key={identity.Number}
                    title={identity.Name ?? identity.Provider}
                    facts={[<When words="identity.since" at={identity.LinkedAt} />]}
                    actions={[
                      {
                        words: text('identity.unlink'),
                        kind: 'danger',
                        onPress: () => attempt(unlink(identity.Number)),
                      },
                    ]}
                  />
                ))}
              </Items>
            </>
          )}
          {providers
            .filter(({ Id }) => !items.some(({ Provider }) => Provider === Id))
            .map(({ Id, Name }) => (
              <div key={Id}>
                <Button icon={<ProviderIcon />} onClick={() => attempt(link(Id))}>
                  {text('identity.link', { provider: Name })}
                </Button>
              </div>
            ))}
        </>
      )}
    </Loaded>
  );
}

function useIdentities() {
  const ownCall = useOwnCall();
  const own = useOwn<ListOwnIdentitiesResponse>('/account/identity');
  const { forgetFragment } = usePageState();
  const said = useFragment();
  const { attempt, cancel, ...proven } = useProven();
  const [failure, setFailure] = useState<string>();
  const [changes, setChanges] = useState(0);
  const changed = (): Promise<void> => {
    setChanges(changes + 1);
    return own.reload();
  };
  useEffect(() => {
    const back = takeSignOn(said['IdentityCode'], said, () => sessionStorage);
    if (back === undefined) return;
    forgetFragment();
    if ('error' in back) setFailure(back.error);
    else void attempt(() => ownCall('POST /account/identity', { IdentityCode: back.code }, changed));
  }, []);
  const link =
    (provider: string): ProofAction =>
    (proof) =>
      ownCall(`POST /account/identity/${provider}`, proof, (begun: BeginIdentityLinkResponse) => {
        expectSignOn(begun.State, {}, sessionStorage);
        location.assign(begun.Url);
      });
  const unlink =
    (number: number): ProofAction =>
    (proof) =>
      ownCall('DELETE /account/identity', { Number: number, ...proof }, changed);
  return {
    ...proven,
    own,
    failure,
    changes,
    link,
    unlink,
    attempt: (action: ProofAction) => {
      setFailure(undefined);
      return attempt(action);
    },
    cancel: () => {
      setFailure(undefined);
      cancel();
    },
  };
}
