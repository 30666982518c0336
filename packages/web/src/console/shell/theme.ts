import { useState } from 'preact/hooks';
import { inStore } from '../../ui/browser.ts';

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
