import type { ComponentChildren } from 'preact';
import { Page } from '../../ui/layout/page.tsx';
import { useFragment } from '../page-state.ts';
import { useAccountLanguage } from './account-language.ts';
import { AccountMenu } from './account-menu.tsx';
import { HandOver } from './hand-over.tsx';
import { Loaded } from './loaded.tsx';
import { SignedIn } from './signed-in.tsx';
import { useSessionWatch } from './use-session-watch.ts';
import { useOwn, type Profile } from './own-account.ts';

interface AccountPageProps {
  title: string;
  lead: string;
  children: (account: { profile: Profile; reload: () => Promise<void> }) => ComponentChildren;
}

/** The layout of an account page, with links to the others. If an app hands its session over, the visitor is asked first. */
export function AccountPage(props: AccountPageProps) {
  const { HandoverCode } = useFragment();
  return HandoverCode === undefined ? <OwnPage {...props} /> : <HandOver code={HandoverCode} />;
}

function OwnPage({ title, lead, children }: AccountPageProps) {
  const own = useOwn<Profile>('/account/profile');
  const isLeaving = useAccountLanguage(own.value);
  useSessionWatch(own.value !== undefined);
  return (
    <Page
      title={title}
      lead={lead}
      layout="wide"
      aside={<SignedIn profile={own.value} />}
      menu={<AccountMenu />}
    >
      <Loaded own={isLeaving ? { reload: own.reload } : own}>
        {(profile) => children({ profile, reload: own.reload })}
      </Loaded>
    </Page>
  );
}
