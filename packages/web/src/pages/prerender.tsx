import { renderToString } from 'preact-render-to-string';
import { type PageData, setPageData } from '../ui/locale.ts';
import { ARCH, Logo } from '../ui/page.tsx';
import { App, PAGES } from './app.tsx';

/** Every page by path, before its script runs. The service replaces the keys in double brackets with the texts of a language. */
export function renderPages() {
  return Object.fromEntries(Object.keys(PAGES).map((path) => [path, renderPage(path)]));
}

function renderPage(path: string) {
  // The router reads the global location.
  Object.assign(globalThis, { location: new URL(path, 'http://localhost') });
  setPageData(MARKERS);
  // The script knows whether there is something to read before the field.
  const html = renderToString(<App fragment={{}} />).replaceAll(' autofocus', '');
  const title = /<h1[^>]*>([^<]+)</.exec(html)?.[1];
  if (title === undefined) throw new Error(`${path} has no heading`);
  return { title, html };
}

const MARKERS: PageData = {
  Locale: 'en',
  Locales: [],
  Messages: new Proxy({}, { get: (_, key) => `[[${String(key)}]]` }),
  Name: '[[=Name]]',
  PasswordMinLength: 8,
  EraseAfterDays: 0,
};

/** The icon in the browser's tab. */
export function renderIcon(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path{fill:#1a5fb4}@media(prefers-color-scheme:dark){path{fill:#84b6f4}}</style><path d="${ARCH}"/></svg>`;
}

/** Renders the drawn logo, and the markup that shows an installation's logo instead. */
export function renderLogo(): { drawn: string; own: string } {
  const render = (data: PageData): string => {
    setPageData(data);
    return renderToString(<Logo />);
  };
  return {
    drawn: render(MARKERS),
    own: render({ ...MARKERS, Logo: '[[=Logo]]', LogoDark: '[[=LogoDark]]' }),
  };
}
