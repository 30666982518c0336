import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { PATHS } from '../paths.ts';
import styles from './account-menu.module.css';

/** Links to the pages of the account and to the app, the account's email address, and the sign-out button. */
export function AccountMenu({ email }: { email: string | undefined }) {
  const text = useText();
  const { path } = useLocation();
  const { AppUrl, Name } = usePageData();
  const [isFailed, setFailed] = useState(false);
  const signOut = async (): Promise<void> => {
    const result = await call('POST', '/account/logout', {});
    // A session that has already ended is signed out, too. Loading the login page clears all data of this page.
    if (result.ok || result.problem.status === 401) location.assign(PATHS.login);
    else setFailed(true);
  };
  const links = [
    { href: PATHS.profile, words: text('menu.profile') },
    { href: PATHS.profileSecurity, words: text('menu.security') },
    { href: PATHS.profileSessions, words: text('menu.sessions') },
    { href: PATHS.profileData, words: text('menu.data') },
  ];
  return (
    <div class={styles['bar']}>
      <nav class={styles['menu']} aria-label={text('menu.label')}>
        {links.map(({ href, words }) => (
          <a key={href} class={styles['link']} href={href} aria-current={href === path ? 'page' : undefined}>
            {words}
          </a>
        ))}
      </nav>
      <div class={styles['out']}>
        {email !== undefined && <span class={styles['email']}>{text('menu.email', { email })}</span>}
        {AppUrl !== undefined && <a href={AppUrl}>{text('menu.app', { Name })}</a>}
        <Button kind="text" onClick={() => void signOut()}>
          {text('menu.signOut')}
        </Button>
        <span role="status">{isFailed && text('menu.signOut.failed')}</span>
      </div>
    </div>
  );
}
