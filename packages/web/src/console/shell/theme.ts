/** Light or dark, until the window is closed; the browser's own choice before that. */
export function setTheme(theme: 'light' | 'dark'): void {
  document.documentElement.dataset['theme'] = theme;
}
