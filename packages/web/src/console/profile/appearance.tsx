import { useState } from 'preact/hooks';
import { nameOfLanguage } from '../../ui/locale/language-menu.tsx';
import { usePageData } from '../../ui/api/page-data.ts';
import { chosenTheme, setTheme, THEMES } from '../shell/theme.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Card } from '../ui/layout/screen-page.tsx';
import styles from './appearance.module.css';

/** The theme and the language of the console. */
export function Appearance() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { Locale, Locales } = usePageData();
  const [theme, setChosen] = useState(chosenTheme());
  return (
    <Card title={words('profile.look')}>
      <fieldset class={styles['choices']}>
        <legend>{words('profile.theme')}</legend>
        {THEMES.map((one) => (
          <label key={one} class={styles['choice']}>
            <input
              type="radio"
              name="theme"
              checked={one === theme}
              onChange={() => {
                setTheme(one);
                setChosen(one);
              }}
            />
            {wordsFor('profile.theme', one)}
          </label>
        ))}
      </fieldset>
      <nav class={styles['choices']} aria-label={words('profile.language')}>
        <span>{words('profile.language')}</span>
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
