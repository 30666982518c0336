import { useState } from 'preact/hooks';
import { usePageData } from '../../ui/api/page-data.ts';
import { Logo } from '../../ui/layout/logo.tsx';
import { nameOfLanguage } from '../../ui/locale/language-menu.tsx';
import { useConsole } from '../api/console-context.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLink } from '../ui/menu.tsx';
import { Search } from './search.tsx';
import { chosenTheme, setTheme, THEMES } from './theme.ts';
import styles from './top-bar.module.css';

interface TopBarProps {
  isBarOpen: boolean;
  onMenu: () => void;
  onHelp: () => void;
}

/** The name, the global search, and the menu of the signed-in administrator. */
export function TopBar({ isBarOpen, onMenu, onHelp }: TopBarProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const [theme, setChosen] = useState(chosenTheme);
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
        <MenuLink href="/console/profile">{words('c.profile.title')}</MenuLink>
        <MenuItem onClick={onHelp}>{words('shell.keys')}</MenuItem>
        <hr />
        {THEMES.map((one) => (
          <MenuItem
            key={one}
            pressed={one === theme}
            onClick={() => {
              setTheme(one);
              setChosen(one);
            }}
          >
            {wordsFor('profile.theme', one)}
          </MenuItem>
        ))}
        <hr />
        {Locales.filter((locale) => locale !== Locale).map((locale) => (
          <MenuItem key={locale} onClick={() => location.assign(`?locale=${locale}`)}>
            {nameOfLanguage(locale)}
          </MenuItem>
        ))}
        <hr />
        <MenuItem onClick={signOut}>{words('shell.signOut')}</MenuItem>
      </Menu>
    </header>
  );
}
