import { inStore } from '../../ui/browser.ts';

/** `system` follows the setting of the browser. */
export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const KEPT = 'gatehouse-theme';

/** Shows the theme that was chosen in this browser. The default is `system`. */
export function showKeptTheme(): void {
  const kept = inStore('localStorage', (store) => store.getItem(KEPT));
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset['theme'] = kept;
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  inStore('localStorage', (store) =>
    theme === 'system' ? store.removeItem(KEPT) : store.setItem(KEPT, theme),
  );
}

export function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}
