import { openQuery, type Route, textAs } from '@gatehouse/http';
import { CONSOLE_PATHS, Type } from '@gatehouse/schema';
import { CONSOLE_TEXTS, SHARED_TEXTS } from './console/texts.ts';
import { consoleDocument, filesOf, notFoundDocument, readConsole } from './document.ts';
import { chooseLocale, fileRoute, redirectRoute, notFoundRoute, PAGE_HEADERS, route } from './site-routes.ts';
import { byLanguage, type Language, LANGUAGES } from './ui/languages.ts';

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
    const names = Object.entries(mailNames[locale]).map(
      ([kind, name]) => [`mails.kind.${kind}`, name] as const,
    );
    const texts = byLanguage({ ...SHARED_TEXTS, ...CONSOLE_TEXTS })[locale];
    const messages = { ...texts, ...Object.fromEntries(names) };
    const facts = { FaceImageOrigins: faceImageOrigins, ConsoleUrl: consoleUrl };
    return consoleDocument({ assets, locale, messages, facts });
  };
  // Composed at its first request, because a thousand texts take a third of the time in which Admin's routes are made.
  const documents: Partial<Record<Language, string>> = {};
  const documentIn = (locale: Language): string => (documents[locale] ??= compose(locale));
  const headers = consoleHeaders(faceImageOrigins);
  return [
    ...CONSOLE_PATHS.map((path) => documentRoute(path, documentIn, headers)),
    ...filesOf(assets).map(([name, bytes]) => fileRoute(name, bytes)),
    redirectRoute('/console'),
    notFoundRoute(LANGUAGES, (locale) =>
      notFoundDocument({
        assets,
        locale,
        messages: byLanguage(SHARED_TEXTS)[locale],
        facts: { Name: 'Gatehouse' },
      }),
    ),
  ];
}

/** A parameter in the path of a screen. The pattern is strict, so that other spellings of API paths match no screen. */
const PART = Type.String({ pattern: /^[a-z0-9-]{1,64}$/.source });

function documentRoute(
  path: `/${string}`,
  documentIn: (locale: Language) => string,
  headers: Record<string, string>,
): Route<unknown> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, PART]);
  return route(`GET ${path}`, {
    summary: `Get the console at ${path}`,
    params: Object.fromEntries(names),
    query: openQuery({ locale: Type.Optional(Type.String({ maxLength: 35 })) }),
    response: textAs('text/html; charset=utf-8'),
    headers: { fixed: headers },
    handler: ({ query: { locale: asked }, request }) =>
      documentIn(chooseLocale(LANGUAGES, { asked, accepted: request.headers['accept-language'] })),
  });
}

/** Those of every page, but the console submits no forms, and shows faces from other origins, and mails in a frame. */
function consoleHeaders(faceImageOrigins: readonly string[]): Record<string, string> {
  const policy = PAGE_HEADERS['Content-Security-Policy']
    .replace("img-src 'self'", ["img-src 'self'", ...faceImageOrigins].join(' '))
    .replace("form-action 'self'", "frame-src 'self'; form-action 'none'");
  return { ...PAGE_HEADERS, 'Content-Security-Policy': policy };
}
