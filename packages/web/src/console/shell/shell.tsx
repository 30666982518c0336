import { Route, Router, useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, type Problem, problemText, type Result } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { pageData, text } from '../../ui/locale.ts';
import { Logo, nameOfLanguage } from '../../ui/page.tsx';
import { ConsoleContext, type ConsoleTools, createApiCaller, type Me, useConsole } from '../api/call-api.ts';
import { THEMES, useTheme } from '../profile/profile.tsx';
import { SCREEN_GROUPS, SCREENS } from '../screens.ts';
import { ConfirmPassword } from '../sign-in/sign-in.tsx';
import { type TextKey, words, wordsFor } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLink } from '../ui/menu.tsx';
import { Empty, ScreenPage } from '../ui/screen-page.tsx';
import { canLeave } from './leaving.ts';
import { Search } from './search.tsx';
import styles from './shell.module.css';

interface ShellProps {
  me: Me;
  /** A message to show first, for example the result of a sign-on. */
  greeting: string | undefined;
  onLeave: (because?: Problem) => void;
}

export function Shell({ me, greeting, onLeave }: ShellProps) {
  const [toasts, setToasts] = useState<readonly ToastMessage[]>(() =>
    greeting === undefined ? [] : [{ id: 0, words: greeting }],
  );
  const [asking, setAsking] = useState<(isConfirmed: boolean) => void>();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isBarOpen, setBarOpen] = useState(false);
  const confirm = (): Promise<boolean> => new Promise((resolve) => setAsking(() => resolve));
  const [callApi] = useState(() => createApiCaller({ onSignedOut: onLeave, confirm }));
  const toast: ConsoleTools['toast'] = (said, undo) =>
    setToasts((before) => [...before, { id: Date.now(), words: said, ...(undo && { undo }) }]);
  const signOut = (): void => void call('DELETE /console/session').then(() => onLeave());
  useKeepAlive(onLeave);
  useKeys(() => setHelpOpen(true));
  return (
    <ConsoleContext.Provider value={{ callApi, me, toast, signOut }}>
      <a class={styles['skip']} href="#screen">
        {words('shell.skip')}
      </a>
      <div class={styles['shell']}>
        <TopBar isOpen={isBarOpen} onMenu={() => setBarOpen(!isBarOpen)} onHelp={() => setHelpOpen(true)} />
        <Bar isOpen={isBarOpen} onGone={() => setBarOpen(false)} />
        <div class={styles['place']}>
          <Router>
            {SCREENS.map(([path, component]) => (
              <Route key={path} path={`/console${path}`} component={component} />
            ))}
            <Route default component={NotFound} />
          </Router>
        </div>
      </div>
      <div class={styles['toasts']} role="status">
        {toasts.map((one) => (
          <Toast
            key={one.id}
            {...one}
            onOver={() => setToasts((before) => before.filter(({ id }) => id !== one.id))}
          />
        ))}
      </div>
      {isHelpOpen && <KeysHelp onClose={() => setHelpOpen(false)} />}
      {asking && (
        <ConfirmPassword
          onEnd={(isConfirmed) => {
            setAsking(undefined);
            asking(isConfirmed);
          }}
        />
      )}
    </ConsoleContext.Provider>
  );
}

function NotFound() {
  return (
    <ScreenPage title={words('shell.notFound')}>
      <Empty title={words('shell.notFound.lead')}>
        <a href="/console">{words('shell.home')}</a>
      </Empty>
    </ScreenPage>
  );
}

function TopBar({ isOpen, onMenu, onHelp }: { isOpen: boolean; onMenu: () => void; onHelp: () => void }) {
  const [theme, choose] = useTheme();
  const { me, signOut } = useConsole();
  const { Name, Locales, Locale } = pageData;
  return (
    <header class={styles['top']}>
      <button
        type="button"
        class={styles['menu']}
        aria-expanded={isOpen}
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
          <MenuItem key={one} pressed={one === theme} onClick={() => choose(one)}>
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

/** `isOpen`: it is shown over the screen. Only narrow windows need this: wide ones always show the bar. */
function Bar({ isOpen, onGone }: { isOpen: boolean; onGone: () => void }) {
  const { path } = useLocation();
  useEffect(() => onGone(), [path]);
  return (
    <nav
      class={[styles['bar'], isOpen && styles['open']].filter(Boolean).join(' ')}
      aria-label={words('shell.bar')}
    >
      {Object.entries(SCREEN_GROUPS).map(([group, screens]) => (
        <div
          key={group}
          class={styles['group']}
          {...(group && { role: 'group', 'aria-label': wordsFor('shell', group) })}
        >
          {group && (
            <p class={styles['title']} aria-hidden="true">
              {wordsFor('shell', group)}
            </p>
          )}
          {screens.map(([below, , nav]) => {
            if (nav === undefined) return null;
            const [label, icon] = nav;
            const href = `/console${below}`;
            return (
              <a
                key={href}
                href={href}
                class={styles['item']}
                aria-current={isWithin(path, href) ? 'page' : undefined}
              >
                <Icon name={icon} size={20} />
                <span>{words(label)}</span>
              </a>
            );
          })}
        </div>
      ))}
    </nav>
  );
}

function isWithin(path: string, href: string): boolean {
  return path === href || (href !== '/console' && path.startsWith(`${href}/`));
}

interface ToastMessage {
  id: number;
  words: string;
  undo?: () => Promise<Result<unknown>>;
}

const SHOWN_MS = 5000;
/** Long enough to see a mistake, and to reach the button with the keyboard. */
const UNDO_MS = 15_000;

/** Disappears after a few seconds. Screen readers announce it. */
function Toast({ id, words: said, undo, onOver }: ToastMessage & { onOver: () => void }) {
  const { toast } = useConsole();
  useEffect(() => {
    const timer = setTimeout(onOver, undo ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id]);
  const takeBack = async (): Promise<void> => {
    const result = await undo?.();
    if (result) toast(result.ok ? words('toast.undone') : problemText(result.problem, text));
    onOver();
  };
  return (
    <div class={styles['toast']}>
      <Icon name="check" /> <span>{said}</span>
      {undo && (
        <Button kind="text" onClick={takeBack}>
          {words('toast.undo')}
        </Button>
      )}
    </div>
  );
}

function KeysHelp({ onClose }: { onClose: () => void }) {
  const rows: [string, TextKey][] = [
    ['/', 'keys.search'],
    ['?', 'keys.help'],
    ...SCREENS.flatMap(([, , nav]): [string, TextKey][] => (nav ? [[`g ${nav[2]}`, nav[0]]] : [])),
  ];
  return (
    <Dialog title={words('shell.keys')} onClose={onClose}>
      <dl class={styles['keys']}>
        {rows.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words(meaning)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const MINUTE_MS = 60_000;
/** A user without input for this long is inactive: an open window alone does not keep the session alive. */
const AWAY_MS = 5 * MINUTE_MS;

/** Pings every minute while the user is active. This keeps the session alive, and detects that it has ended. */
function useKeepAlive(onLeave: (because: Problem) => void): void {
  useEffect(() => {
    let touchedAt = performance.now();
    const touch = (): void => void (touchedAt = performance.now());
    const ping = async (): Promise<void> => {
      if (performance.now() - touchedAt > AWAY_MS) return;
      const result = await call('POST /console/session/ping', {});
      if (!result.ok && (result.problem.status === 401 || result.problem.code === 'forbidden'))
        onLeave(result.problem);
    };
    void ping();
    const timer = setInterval(() => void ping(), MINUTE_MS);
    addEventListener('keydown', touch);
    addEventListener('pointerdown', touch);
    return () => {
      clearInterval(timer);
      removeEventListener('keydown', touch);
      removeEventListener('pointerdown', touch);
    };
  }, []);
}

/** The maximum time between `g` and the second key. */
const PAUSE_MS = 1500;

/** The keys of the console: `/` for the search, `g` and a letter for a screen, `?` for help. */
function useKeys(onHelp: () => void): void {
  const { route } = useLocation();
  const goneAt = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      if (event.timeStamp - goneAt.current < PAUSE_MS) {
        goneAt.current = 0;
        const screen = SCREENS.find(([, , nav]) => nav?.[2] === event.key);
        if (screen && canLeave()) return route(`/console${screen[0]}`);
      }
      if (event.key === 'g') goneAt.current = event.timeStamp;
      else if (event.key === '?') onHelp();
      else if (event.key === '/') {
        event.preventDefault();
        document.querySelector<HTMLInputElement>('input[name=find]')?.focus();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
