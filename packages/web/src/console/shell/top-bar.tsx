import { usePageData } from '../../ui/api/page-data.ts';
import { Logo } from '../../ui/layout/logo.tsx';
import { nameOfLanguage } from '../../ui/locale/language-menu.tsx';
import { useConsole } from '../api/console-context.ts';
import { useWords } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Search } from './search.tsx';
import { setTheme } from './theme.ts';
import styles from './top-bar.module.css';

interface TopBarProps {
  isBarOpen: boolean;
  onMenu: () => void;
  onHelp: () => void;
}

/** The name, the global search, and the menu of the signed-in administrator. */
export function TopBar({ isBarOpen, onMenu, onHelp }: TopBarProps) {
  const words = useWords();
  const { me, signOut } = useConsole();
  const { Name, Locales, Locale } = usePageData();
  return (
    <header class={styles['top']}>
      <button
        type="button"
        class={styles['menu']}
        aria-expanded={isBarOpen}
        aria-label={words('shell.bar')}
        onClick={onMenu}
      >
        <Icon name="menu" size={20} />
      </button>
      <a class={styles['name']} href="/console" aria-label={Name}>
        <Logo />
        <span>{Name}</span>
      </a>
      <Search />
      <Menu label={words('shell.you', { email: me.Account.Email })} icon="profile">
        <p class={styles['who']}>{me.Account.Email}</p>
        <MenuItem onClick={onHelp}>{words('shell.keys')}</MenuItem>
        <MenuItem onClick={() => setTheme('light')}>{words('shell.light')}</MenuItem>
        <MenuItem onClick={() => setTheme('dark')}>{words('shell.dark')}</MenuItem>
        {Locales.filter((locale) => locale !== Locale).map((locale) => (
          <MenuItem key={locale} onClick={() => location.assign(`?locale=${locale}`)}>
            {nameOfLanguage(locale)}
          </MenuItem>
        ))}
        <MenuItem onClick={signOut}>{words('shell.signOut')}</MenuItem>
      </Menu>
    </header>
  );
}
