import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { Button } from '../../ui/form/button.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Avatar } from '../../ui/person/avatar.tsx';
import { usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';
import type { Profile } from './own-account.ts';
import styles from './account-menu.module.css';

/** Who is signed in, the way back to the app, and the sign-out button. */
export function SignedIn({ profile }: { profile: Profile | undefined }) {
  const text = useText();
  const { AppUrl, Name } = usePageData();
  const [isFailed, setFailed] = useState(false);
  const { setLeaving } = usePageState();
  const signOut = async (): Promise<void> => {
    setLeaving(true);
    const result = await call('POST', '/account/logout', {});
    // A session that has already ended is signed out, too. Loading the login page clears all data of this page.
    if (result.ok || result.problem.status === 401) location.assign(PATHS.login);
    else {
      setLeaving(false);
      setFailed(true);
    }
  };
  return (
    <div class={styles['signedIn']}>
      {profile !== undefined && (
        <>
          <Avatar name={profile.DisplayName ?? profile.Email} />
          <span class={styles['email']}>{profile.Email}</span>
        </>
      )}
      {AppUrl !== undefined && <a href={AppUrl}>{text('menu.app', { Name })}</a>}
      <Button kind="text" onClick={signOut}>
        {text('menu.signOut')}
      </Button>
      <span role="status">{isFailed && text('menu.signOut.failed')}</span>
    </div>
  );
}
