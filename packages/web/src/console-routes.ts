import { defineSubjects, openQuery, type Route, textAs } from '@gatehouse/http';
import { CONSOLE_PATHS, Type } from '@gatehouse/schema';
import { CONSOLE_TEXTS, SHARED_TEXTS } from './console/texts.ts';
import { consoleDocument, filesOf, readAssets, readConsole } from './document.ts';
import { chooseLocale, fileRoute, redirectRoute, notFoundRoute, PAGE_HEADERS } from './site-routes.ts';
import { byLanguage, type Language, LANGUAGES } from './ui/languages.ts';

const route = defineSubjects<unknown>()({ access: 'public' });

/** The routes of the console: the same document at the path of every screen, and the files that it loads. */
export function consoleRoutes({
  faceImageOrigins,
  mailNames,
  consoleUrl,
}: {
  faceImageOrigins: readonly string[];
  mailNames: Readonly<Record<Language, Readonly<Record<string, string>>>>;
  consoleUrl: string | undefined;
}): Route<unknown>[] {
  const assets = readConsole();
  const compose = (locale: Language): string => {
    const messages = {
      ...byLanguage({ ...SHARED_TEXTS, ...CONSOLE_TEXTS })[locale],
      ...mailTexts(mailNames[locale]),
    };
    return consoleDocument({ assets, locale, messages, faceImageOrigins, consoleUrl });
  };
  const documents: Documents = new Map(
    LANGUAGES.map((locale) => {
      // Composed at its first request, because a thousand texts take a third of the time in which Admin's routes are made.
      let document: string | undefined;
      return [locale, () => (document ??= compose(locale))];
    }),
  );
  const headers = consoleHeaders(faceImageOrigins);
  return [
    ...CONSOLE_PATHS.map((path) => documentRoute(path, documents, headers)),
    ...filesOf(assets).map(([name, bytes]) => fileRoute(name, bytes)),
    redirectRoute('/console'),
    notFoundRoute({
      name: 'Gatehouse',
      style: assets.style,
      icon: assets.icon,
      logo: readAssets().logo.drawn,
      locales: LANGUAGES,
      textsOf: (locale) => byLanguage(SHARED_TEXTS)[locale === 'de' ? 'de' : 'en'],
    }),
  ];
}

/** The document in each language. */
type Documents = ReadonlyMap<string, () => string>;

function mailTexts(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([kind, name]) => [`mails.kind.${kind}`, name]));
}

/** A parameter in the path of a screen. The pattern is strict, so that other spellings of API paths match no screen. */
const PART = Type.String({ pattern: /^[a-z0-9-]{1,64}$/.source });

function documentRoute(
  path: `/${string}`,
  documents: Documents,
  headers: Record<string, string>,
): Route<unknown> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, PART]);
  return route(`GET ${path}`, {
    summary: `Get the console at ${path}`,
    params: Object.fromEntries(names),
    query: openQuery({ locale: Type.Optional(Type.String({ maxLength: 35 })) }),
    response: textAs('text/html; charset=utf-8'),
    headers: { fixed: headers },
    handler: ({ query, request }) => {
      const accepted = request.headers['accept-language'];
      return documents.get(chooseLocale([...documents.keys()], { asked: query.locale, accepted }))?.() ?? '';
    },
  });
}

/**
 * The headers of the console: those of every page, except that the console submits no forms, and may show images of
 * faces from other origins, and samples of mails in a frame.
 */
function consoleHeaders(faceImageOrigins: readonly string[]): Record<string, string> {
  const policy = PAGE_HEADERS['Content-Security-Policy']
    .replace("img-src 'self'", ["img-src 'self'", ...faceImageOrigins].join(' '))
    .replace("form-action 'self'", "frame-src 'self'; form-action 'none'");
  return { ...PAGE_HEADERS, 'Content-Security-Policy': policy };
}
