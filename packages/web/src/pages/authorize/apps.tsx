import { useId, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { useText } from '../../ui/locale.ts';
import { Fault, Notice } from '../../ui/notice.tsx';
import { Item, Items, Mark, Section } from '../../ui/row.tsx';
import { Time } from '../../ui/time.tsx';
import { AccountPage } from '../account/account-page.tsx';
import { Loaded, useOwn, useSignedOut } from '../account/own-account.tsx';
import { ScopeList } from './authorize.tsx';

/** The apps that the account is signed in to, or has allowed to sign it in. */
export function AppsPage() {
  const text = useText();
  return (
    <AccountPage title={text('apps.title')} lead={text('apps.lead')}>
      {() => <AppsSection />}
    </AccountPage>
  );
}

function AppsSection() {
  const text = useText();
  const leave = useSignedOut();
  const own = useOwn<{ Items: OwnApp[] }>('/account/app');
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ name: string } | { problem: Problem }>();
  const remove = async ({ Id, Name }: OwnApp): Promise<void> => {
    setBusy(true);
    setOutcome(undefined);
    const result = await call('DELETE', `/account/app/${Id}`);
    // Removed in the meantime is removed.
    if (result.ok || result.problem.status === 404) setOutcome({ name: Name });
    else if (!leave(result.problem)) setOutcome({ problem: result.problem });
    await own.reload();
    setBusy(false);
  };
  return (
    <Section title={text('apps.list.title')} lead={text('apps.list.lead')}>
      {outcome && 'name' in outcome && (
        <Notice meaning="success">
          <p>{text('apps.removed', { app: outcome.name })}</p>
        </Notice>
      )}
      {outcome && 'problem' in outcome && <Fault problem={outcome.problem} />}
      <Loaded own={own}>
        {({ Items: apps }) =>
          apps.length === 0 ? (
            <p>{text('apps.none')}</p>
          ) : (
            <Items>
              {apps.map((app) => (
                <AppItem key={app.Id} app={app} busy={isBusy} onRemove={() => void remove(app)} />
              ))}
            </Items>
          )
        }
      </Loaded>
    </Section>
  );
}

/** An app, as shown to the owner of the account. */
interface OwnApp {
  Id: string;
  Name: string;
  Scopes: string[];
  /** When the owner consented. Apps that the installation trusts need no consent. */
  GrantedAt: string | null;
  /** How often the account is signed in to it. */
  SignIns: number;
  LastUsedAt: string | null;
}

/** One app: what it may know, and whether the account is signed in to it. */
function AppItem({ app, busy, onRemove }: { app: OwnApp; busy: boolean; onRemove: () => void }) {
  const text = useText();
  const id = useId();
  const { Name, Scopes, GrantedAt, SignIns, LastUsedAt } = app;
  return (
    <Item
      titleId={id}
      title={
        <>
          {Name}
          {SignIns > 0 && <Mark>{text('apps.signedIn')}</Mark>}
        </>
      }
      facts={[
        <>
          {GrantedAt === null ? (
            text('apps.trusted')
          ) : (
            <>
              {text('apps.granted')} <Time at={GrantedAt} />
            </>
          )}
          {LastUsedAt !== null && (
            <>
              {' · '}
              {text('apps.used')} <Time at={LastUsedAt} />
            </>
          )}
        </>,
        <ScopeList scopes={Scopes} />,
      ]}
    >
      <Button busy={busy} onClick={onRemove} aria-describedby={id}>
        {text('apps.remove')}
      </Button>
    </Item>
  );
}
