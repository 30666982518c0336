import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { Items } from '../../ui/layout/items.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { AccountPage } from '../account/account-page.tsx';
import { Loaded } from '../account/loaded.tsx';
import { useOwn, useSignedOut } from '../account/own-account.ts';
import { AppItem, type OwnApp } from './app-item.tsx';

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
      {outcome && 'problem' in outcome && (
        <Notice meaning="danger">
          <p>{problemText(outcome.problem, text)}</p>
        </Notice>
      )}
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
