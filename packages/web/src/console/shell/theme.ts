/** `system` follows the setting of the browser. */
export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const KEPT = 'gatehouse-theme';

/** Shows the theme that was chosen in this browser. The default is `system`. */
export function showKeptTheme(): void {
  const kept = inStore((store) => store.getItem(KEPT));
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset['theme'] = kept;
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  inStore((store) => (theme === 'system' ? store.removeItem(KEPT) : store.setItem(KEPT, theme)));
}

export function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** If a browser does not allow pages to store data, accessing the storage throws. */
function inStore<T>(use: (store: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}
