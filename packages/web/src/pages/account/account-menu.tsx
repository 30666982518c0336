import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { useText } from '../../ui/locale/locale.ts';
import { PATHS } from '../paths.ts';
import styles from './account-menu.module.css';

/** Links to the pages of the account. On a small screen they scroll, and the present one is in sight. */
export function AccountMenu() {
  const text = useText();
  const { path } = useLocation();
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = menu.current?.querySelector<HTMLElement>('[aria-current]');
    if (!menu.current || !current) return;
    const room = menu.current.clientWidth - current.clientWidth;
    menu.current.scrollLeft = current.offsetLeft - menu.current.offsetLeft - room / 2;
  }, [path]);
  const links = [
    { href: PATHS.profile, words: text('menu.profile') },
    { href: PATHS.profileSecurity, words: text('menu.security') },
    { href: PATHS.profileSessions, words: text('menu.sessions') },
    { href: PATHS.profileApps, words: text('menu.apps') },
    { href: PATHS.profileData, words: text('menu.data') },
  ];
  return (
    <nav class={styles['menu']} aria-label={text('menu.label')} ref={menu}>
      {links.map(({ href, words }) => (
        <a key={href} class={styles['link']} href={href} aria-current={href === path ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  );
}
