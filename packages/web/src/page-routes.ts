import { defineRoutes, openQuery, textAs, type Route } from '@gatehouse/http';
import { PAGE_PATHS, Type } from '@gatehouse/schema';
import { readAssets, type Assets } from './assets.ts';
import { chooseLocale } from './choose-locale.ts';
import { documentOf } from './document.ts';
import { brandFilesOf } from './brand-files.ts';
import type { PageStyle } from './page-settings.ts';
import { fileRoute } from './file-route.ts';
import { postedRoute } from './posted-route.ts';
import { homeRoute, notFoundRoute } from './home-routes.ts';
import { PAGE_HEADERS } from './page-headers.ts';

const route = defineRoutes<unknown>();

/** The routes of the account pages (`/login`, `/register` and so on) and of their files below `/web/`. */
export function pageRoutes({
  style: { brand, isBranded, locales },
  publicUrl,
  appUrl,
  supportUrl,
  passwordMinLength,
  eraseAfterDays,
}: {
  style: PageStyle;
  /** The public base URL of the pages. */
  publicUrl: string;
  /** The app that people continue to. */
  appUrl?: string | undefined;
  /** The URL of the support page, if the brand does not say. */
  supportUrl?: string | undefined;
  passwordMinLength: number;
  eraseAfterDays: number;
}): Route<unknown>[] {
  const assets = readAssets();
  const own = isBranded ? brandFilesOf(brand) : undefined;
  const facts = {
    Name: brand.name,
    Logo: own?.logo && `/web/${own.logo}`,
    LogoDark: own?.logoDark && `/web/${own.logoDark}`,
    SupportUrl: brand.supportUrl ?? supportUrl,
    PrivacyUrl: brand.privacyUrl,
    TermsUrl: brand.termsUrl,
    PublicUrl: publicUrl,
    AppUrl: appUrl,
    PasswordMinLength: passwordMinLength,
    EraseAfterDays: eraseAfterDays,
  };
  const frame = { assets, brandStyle: own?.style, locales: locales.names, facts };
  const documentsOf = (path: string): Map<string, string> =>
    new Map(
      locales.names.map((locale) => {
        const messages = locales.textsFor(locale).texts;
        return [locale, documentOf(path, { ...frame, locale, messages })];
      }),
    );
  return [
    ...Object.keys(assets.pages).map((path) => pageRoute(path, documentsOf(path))),
    ...[...ownFiles(assets), ...(own?.files ?? [])].map(([name, text]) => fileRoute(name, text)),
    postedRoute(PAGE_PATHS.authorize),
    postedRoute(PAGE_PATHS.endSession),
    homeRoute('/profile'),
    notFoundRoute({
      name: brand.name,
      style: assets.style,
      brandStyle: own?.style,
      icon: assets.icon,
      locales: ['en', ...locales.names],
      textsOf: (locale) => locales.textsFor(locale).texts,
    }),
  ];
}

/** The built files that the account pages load. */
function ownFiles({ files, script, style, icon }: Assets): [string, string][] {
  return [...files].filter(([name]) => [script, style, icon].includes(name));
}

function pageRoute(path: string, documents: ReadonlyMap<string, string>): Route<unknown> {
  const locales = ['en', ...documents.keys()];
  return route({
    method: 'get',
    path,
    summary: `Get the page ${path}`,
    access: 'public',
    query: openQuery({
      locale: Type.Optional(Type.String({ maxLength: 35 })),
      // The languages that an app asks for, best first (OpenID Connect Core §3.1.2.1).
      ui_locales: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    response: textAs('text/html; charset=utf-8'),
    headers: { fixed: PAGE_HEADERS },
    handler: ({ query, request }) => {
      const asked = query.ui_locales?.split(' ').join();
      const accepted = asked ?? request.headers['accept-language'];
      return documents.get(chooseLocale(locales, { asked: query.locale, accepted })) ?? '';
    },
  });
}
