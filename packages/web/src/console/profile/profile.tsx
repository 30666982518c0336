import { useState } from 'preact/hooks';
import { inStore } from '../../ui/browser.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { pageData } from '../../ui/locale.ts';
import { nameOfLanguage } from '../../ui/page.tsx';
import { type Me, useConsole, useQuery } from '../api/call-api.ts';
import { words, wordsFor } from '../text.ts';
import { Card, FactsCard, Loaded, ScreenPage } from '../ui/screen-page.tsx';
import { at, Copy, type Fact, StateBadge } from '../ui/values.tsx';
import styles from './profile.module.css';

const FACTS: readonly Fact<Me>[] = [
  ['fact.email', ({ Account: { Id, Email } }) => <a href={`/console/accounts/${Id}`}>{Email}</a>],
  ['profile.name', ({ Account }) => Account.DisplayName],
  ['accounts.role', ({ Account }) => wordsFor('role', Account.Role)],
  [
    'profile.twoFactor',
    ({ Account: { IsTwoFactorEnabled: hasTwo } }) => (
      <StateBadge
        state={hasTwo ? ['success', 'profile.twoFactor.on'] : ['warning', 'profile.twoFactor.off']}
      />
    ),
  ],
  [
    'profile.session',
    ({ SessionId }) => <a href={`/console/sessions/${SessionId}`}>{words('profile.session.show')}</a>,
  ],
  at('profile.ends', 'ExpiresAt'),
  ['sessions.userId', ({ Account }) => <Copy value={Account.Id} label={words('sessions.userId')} />],
];

export function ProfileScreen() {
  return (
    <ScreenPage title={words('c.profile.title')}>
      <FactsCard title="profile.you" facts={FACTS} row={useConsole().me} />
      <Appearance />
      <AccountPages />
    </ScreenPage>
  );
}

function Appearance() {
  const { Locale, Locales } = pageData;
  const [theme, choose] = useTheme();
  return (
    <Card title={words('profile.look')}>
      <fieldset class={styles['choices']}>
        <legend>{words('profile.theme')}</legend>
        {THEMES.map((one) => (
          <label key={one} class={styles['choice']}>
            <input type="radio" name="theme" checked={one === theme} onChange={() => choose(one)} />
            {wordsFor('profile.theme', one)}
          </label>
        ))}
      </fieldset>
      <nav class={styles['choices']} aria-label={words('account.language')}>
        <span>{words('account.language')}</span>
        {Locales.map((locale) => (
          <a
            key={locale}
            class={styles['choice']}
            href={`?locale=${locale}`}
            // Each language is a separate document: `target` makes the router leave this link to the browser.
            target="_top"
            lang={locale}
            aria-current={locale === Locale ? 'true' : undefined}
          >
            {nameOfLanguage(locale)}
          </a>
        ))}
      </nav>
      <p class="quiet">{words('profile.look.lead')}</p>
    </Card>
  );
}

/** Administrators change their sign-in methods on the account pages, as all users do. */
function AccountPages() {
  const result = useQuery('GET /console/options');
  return (
    <Card title={words('profile.pages')}>
      <Loaded result={result} lines={1}>
        {({ PublicUrl, SingleSession }) => (
          <>
            <p>{words('profile.pages.lead')}</p>
            {SingleSession && <p class="quiet">{words('profile.pages.single')}</p>}
            <div>
              <ButtonLink href={`${PublicUrl.replace(/\/$/, '')}/profile`} newTab>
                {words('profile.pages.open')}
              </ButtonLink>
            </div>
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** `system` follows the setting of the browser. */
export const THEMES = ['system', 'light', 'dark'] as const;

type Theme = (typeof THEMES)[number];

const KEPT = 'gatehouse-theme';

/** Shows the theme that was chosen in this browser. The default is `system`. */
export function showKeptTheme(): void {
  const kept = inStore('localStorage', (store) => store.getItem(KEPT));
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset['theme'] = kept;
}

/** The theme, and a function that changes it. */
export function useTheme(): [theme: Theme, choose: (theme: Theme) => void] {
  const [theme, setTheme] = useState(shownTheme);
  const choose = (next: Theme): void => {
    if (next === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = next;
    inStore('localStorage', (store) =>
      next === 'system' ? store.removeItem(KEPT) : store.setItem(KEPT, next),
    );
    setTheme(next);
  };
  return [theme, choose];
}

function shownTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}
