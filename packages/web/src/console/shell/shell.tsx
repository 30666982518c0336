import type { QueryClient } from '@tanstack/query-core';
import { Route, Router } from 'preact-iso';
import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { createApiCaller } from '../api/call-api.ts';
import { ConsoleContext, type Me } from '../api/console-context.ts';
import { SCREENS } from '../screens.ts';
import { type TextKey, useWords } from '../text.ts';
import { ConfirmPassword } from '../ui/confirm/confirm-password.tsx';
import { Bar } from './bar.tsx';
import { KeysHelp } from './keys-help.tsx';
import styles from './shell.module.css';
import { Toasts, type ToastMessage } from './toasts.tsx';
import { TopBar } from './top-bar.tsx';
import { useKeepAlive } from './use-keep-alive.ts';
import { useKeys } from './use-keys.ts';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty } from '../ui/layout/state.tsx';

interface ShellProps {
  me: Me;
  client: QueryClient;
  /** A message to show first, for example the result of a sign-on. */
  greeting: TextKey | undefined;
  onLeave: (because?: Problem) => void;
}

/** The frame around every screen: the top bar, the navigation bar, messages and confirmations. */
export function Shell({ me, client, greeting, onLeave }: ShellProps) {
  const words = useWords();
  const [toasts, setToasts] = useState<readonly ToastMessage[]>(() =>
    greeting === undefined ? [] : [{ id: 0, words: words(greeting) }],
  );
  const [asking, setAsking] = useState<(isConfirmed: boolean) => void>();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isBarOpen, setBarOpen] = useState(false);
  const confirm = (): Promise<boolean> => new Promise((resolve) => setAsking(() => resolve));
  const [callApi] = useState(() => createApiCaller({ onSignedOut: onLeave, confirm }));
  const toast = (text: string): void => setToasts((before) => [...before, { id: Date.now(), words: text }]);
  const signOut = (): void => {
    void call('DELETE', '/console/session').then(() => onLeave());
  };
  useKeepAlive(onLeave);
  useKeys(() => setHelpOpen(true));
  return (
    <ConsoleContext.Provider value={{ callApi, client, me, toast, signOut }}>
      <a class={styles['skip']} href="#screen">
        {words('shell.skip')}
      </a>
      <div class={styles['shell']}>
        <TopBar
          onMenu={() => setBarOpen(!isBarOpen)}
          isBarOpen={isBarOpen}
          onHelp={() => setHelpOpen(true)}
        />
        <Bar isOpen={isBarOpen} onGone={() => setBarOpen(false)} />
        <div class={styles['place']}>
          <Router>
            {SCREENS.map(({ path, component }) => (
              <Route key={path} path={`/console${path}`} component={component} />
            ))}
            <Route default component={NotFound} />
          </Router>
        </div>
      </div>
      <Toasts toasts={toasts} onOver={(id) => setToasts((before) => before.filter((one) => one.id !== id))} />
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

/** Shown for addresses without a screen. */
function NotFound() {
  const words = useWords();
  return (
    <ScreenPage title={words('shell.notFound')}>
      <Empty title={words('shell.notFound.lead')}>
        <a href="/console">{words('shell.home')}</a>
      </Empty>
    </ScreenPage>
  );
}
