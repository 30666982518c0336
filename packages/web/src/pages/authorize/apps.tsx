import type { ListOwnAppsResponse, ListOwnGrantsResponse, OwnGrant } from 'gatehouse-client';
import { Button } from '../../ui/button.tsx';
import { deviceName } from '../../ui/device-name.ts';
import { Icon } from '../../ui/icon.tsx';
import { type MessageKey, text } from '../../ui/locale.ts';
import { Item, Items, Mark, Section } from '../../ui/row.tsx';
import { When } from '../../ui/time.tsx';
import { AccountPage, Loaded, OwnItems, useOwn, useRemoval } from '../account/own-account.tsx';
import styles from './authorize.module.css';

/** The apps that the account is signed in to, or has allowed to sign it in. */
export function AppsPage() {
  return (
    <AccountPage title={text('apps.title')} lead={text('apps.lead')}>
      <AppsSections />
    </AccountPage>
  );
}

function AppsSections() {
  const apps = useOwn<ListOwnAppsResponse>('/account/app');
  const grants = useOwn<ListOwnGrantsResponse>('/account/grant');
  const { isBusy, outcome, remove } = useRemoval(() => Promise.all([apps.reload(), grants.reload()]));
  return (
    <div>
      {outcome}
      <Section title={text('apps.list.title')} lead={text('apps.list.lead')}>
        <OwnItems own={apps} none="apps.none">
          {({ Id, Name, Scopes, GrantedAt, SignIns, LastUsedAt }) => (
            <Item
              key={Id}
              title={
                <>
                  {Name}
                  {SignIns > 0 && <Mark>{text('apps.signedIn')}</Mark>}
                </>
              }
              facts={[
                <>
                  {GrantedAt === null ? text('apps.trusted') : <When words="apps.granted" at={GrantedAt} />}
                  {LastUsedAt !== null && ' · '}
                  {LastUsedAt !== null && <When words="apps.used" at={LastUsedAt} />}
                </>,
                <ScopeList scopes={Scopes} />,
              ]}
              actions={[
                {
                  words: text('apps.remove'),
                  busy: isBusy,
                  onPress: () => remove([`/account/app/${Id}`], text('apps.removed', { app: Name })),
                },
              ]}
            />
          )}
        </OwnItems>
      </Section>
      <Loaded own={grants}>
        {({ Items: all }) => all.length > 0 && <GrantsSection {...{ isBusy, remove }} grants={all} />}
      </Loaded>
    </div>
  );
}

type GrantsSectionProps = Omit<ReturnType<typeof useRemoval>, 'outcome'> & { grants: readonly OwnGrant[] };

/** The apps and devices that stay signed in by themselves. Each can be ended, or all. */
function GrantsSection({ grants, isBusy, remove }: GrantsSectionProps) {
  return (
    <Section title={text('grants.title')} lead={text('grants.lead')}>
      <Items>
        {grants.map((grant) => (
          <Item
            key={grant.Id}
            title={grant.Name}
            facts={[
              deviceName(grant),
              <>
                {grant.IpAddress ?? text('sessions.noAddress')} ·{' '}
                <When words="apps.used" at={grant.LastUsedAt} />
              </>,
              <When words="sessions.since" at={grant.CreatedAt} />,
              <ScopeList scopes={grant.Scopes} outlives />,
            ]}
            actions={[
              {
                words: text('grants.end'),
                waits: isBusy,
                onPress: () =>
                  remove([`/account/grant/${grant.Id}`], text('grants.ended', { app: grant.Name })),
              },
            ]}
          />
        ))}
      </Items>
      {grants.length > 1 && (
        <div>
          <Button
            kind="danger"
            waits={isBusy}
            onClick={() => remove(['/account/grant'], text('grants.allEnded'))}
          >
            {text('grants.endAll')}
          </Button>
        </div>
      )}
    </Section>
  );
}

/** What an app may do, in plain words. A scope of the installation's own is shown as it is called. */
export function ScopeList({ scopes, outlives }: { scopes: readonly string[]; outlives?: boolean }) {
  const keyOf = (scope: string): MessageKey => {
    if (outlives && scope === 'offline_access') return 'scope.offline_access.own';
    const known = SCOPES.find((one) => one === scope);
    return known === undefined ? 'scope.other' : `scope.${known}`;
  };
  return (
    <ul class={styles['scopes']}>
      {scopes.map((scope) => (
        <li key={scope} class={styles['scope']}>
          <Icon name="check" />
          <span>{text(keyOf(scope), { scope })}</span>
        </li>
      ))}
    </ul>
  );
}

const SCOPES = ['openid', 'profile', 'email', 'groups', 'offline_access'] as const;
