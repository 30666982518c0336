import { useId } from 'preact/hooks';
import { problemText } from '../../ui/api/problem-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Time } from '../../ui/time.tsx';
import { useAccountOptions } from '../account-options.ts';
import { Loaded } from '../account/loaded.tsx';
import type { Profile } from '../account/own-account.ts';
import { signOnFailure } from '../login/sign-on/use-sign-on.ts';
import { usePageState } from '../page-state.ts';
import { OtherSessions } from '../sessions/other-sessions.tsx';
import styles from '../sessions/sessions.module.css';
import { OwnerProof } from './owner-proof.tsx';
import { useIdentities, type OwnIdentity } from './use-identities.ts';

/** Links and unlinks identities at providers. Renders nothing if the installation has no providers. */
export function IdentitySection({ profile }: { profile: Profile }) {
  const text = useText();
  const { hasReset } = usePageState();
  const options = useAccountOptions(undefined);
  const { own, problem, failure, asked, changes, link, unlink, attempt } = useIdentities();
  const items = own.value?.Items ?? [];
  const providers = profile.Role === 'Guest' ? [] : (options?.Providers ?? []);
  const linkable = providers.filter(({ Id }) => !items.some(({ Provider }) => Provider === Id));
  if (items.length === 0 && providers.length === 0) return null;
  return (
    <Section title={text('identity.title')} lead={text('identity.lead')}>
      {(problem ?? failure) !== undefined && (
        <Notice meaning="danger">
          <p>{problem ? problemText(problem, text, PROBLEMS) : text(signOnFailure(failure ?? ''))}</p>
        </Notice>
      )}
      {changes > 0 && <OtherSessions key={changes} />}
      {asked && <OwnerProof profile={profile} onProof={asked} />}
      <Loaded own={own}>
        {({ Items }) =>
          Items.length > 0 && (
            <>
              {hasReset && <Notice meaning="information">{text('identity.afterReset')}</Notice>}
              <ul class={styles['list']}>
                {Items.map((identity) => (
                  <IdentityItem
                    key={identity.Number}
                    identity={identity}
                    onUnlink={() => void attempt(unlink(identity.Number))}
                  />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      {own.value !== undefined &&
        linkable.map(({ Id, Name }) => (
          <div key={Id}>
            <Button onClick={() => void attempt(link(Id))}>
              {text('identity.link', { provider: Name })}
            </Button>
          </div>
        ))}
    </Section>
  );
}

const PROBLEMS = {
  conflict: 'identity.conflict',
  identity_taken: 'identity.taken',
  invalid_code: 'signOn.invalid_attempt',
} as const;

function IdentityItem({ identity, onUnlink }: { identity: OwnIdentity; onUnlink: () => void }) {
  const text = useText();
  const id = useId();
  return (
    <li class={styles['item']}>
      <div class={styles['facts']}>
        <p class={styles['device']} id={id}>
          {identity.Name ?? identity.Provider}
        </p>
        <p class={styles['quiet']}>
          {text('identity.since')} <Time at={identity.LinkedAt} />
        </p>
      </div>
      <Button kind="danger" aria-describedby={id} onClick={onUnlink}>
        {text('identity.unlink')}
      </Button>
    </li>
  );
}
