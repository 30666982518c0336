import { brandCss, readBrand, readLocales, sizeOfPng } from '@gatehouse/brand';
import type { Brand, brandSettings, Logo } from '@gatehouse/brand';
import { form, openQuery, reply, type Route, textAs } from '@gatehouse/http';
import { PAGE_PATHS, type Static, type TObject, Type } from '@gatehouse/schema';
import { createHash } from 'node:crypto';
import { documentOf, filesOf, notFoundDocument, readAssets } from './document.ts';
import { PAGE_TEXTS } from './page-texts.ts';
import { chooseLocale, fileRoute, redirectRoute, notFoundRoute, PAGE_HEADERS, route } from './site-routes.ts';
import { byLanguage } from './ui/languages.ts';
import type { PageData } from './ui/locale.ts';

interface PagesOptions extends Pick<
  PageData,
  'PublicUrl' | 'AppUrl' | 'SupportUrl' | 'PasswordMinLength' | 'EraseAfterDays'
> {
  style: PageStyle;
}

/** The routes of the account pages (`/login`, `/register` and so on) and of their files below `/web/`. */
export function pageRoutes({ style, SupportUrl, ...given }: PagesOptions): Route<unknown>[] {
  const { brand, isBranded, locales } = style;
  const assets = readAssets();
  const own = isBranded ? brandFilesOf(brand) : undefined;
  const facts = {
    Name: brand.name,
    Logo: own?.logo && `/web/${own.logo}`,
    LogoDark: own?.logoDark && `/web/${own.logoDark}`,
    SupportUrl: brand.supportUrl ?? SupportUrl,
    PrivacyUrl: brand.privacyUrl,
    TermsUrl: brand.termsUrl,
    ...given,
  };
  const hasOwnFont = brand.fontStack !== undefined;
  const frameIn = (locale: string) => ({
    ...{ assets, brandStyle: own?.style, hasOwnFont, locales: locales.names, facts },
    ...{ locale, messages: locales.textsFor(locale).texts },
  });
  const documentsOf = (path: string) =>
    new Map(locales.names.map((locale) => [locale, documentOf(path, frameIn(locale))]));
  return [
    ...Object.values(PAGE_PATHS).map((path) => pageRoute(path, documentsOf(path))),
    ...[...filesOf(assets), ...(own?.files ?? [])].map(([name, text]) => fileRoute(name, text)),
    postedRoute(PAGE_PATHS.authorize),
    postedRoute(PAGE_PATHS.endSession),
    redirectRoute(PAGE_PATHS.profile),
    // Password managers ask for it (W3C, A Well-Known URL for Changing Passwords).
    redirectRoute(PAGE_PATHS.profileSecurity, '/.well-known/change-password'),
    notFoundRoute(['en', ...locales.names], (locale) => notFoundDocument(frameIn(locale))),
  ];
}

function pageRoute(path: `/${string}`, documents: ReadonlyMap<string, string>): Route<unknown> {
  const locales = ['en', ...documents.keys()] as const;
  return route(`GET ${path}`, {
    summary: `Get the page ${path}`,
    query: openQuery({
      locale: Type.Optional(Type.String({ maxLength: 35 })),
      // The languages that an app asks for, best first (OpenID Connect Core §3.1.2.1).
      ui_locales: Type.Optional(Type.String({ maxLength: 200 })),
      ...(path === PAGE_PATHS.authorize && FORM_POST),
    }),
    response: textAs('text/html; charset=utf-8'),
    headers: { fixed: PAGE_HEADERS },
    handler: ({ query, request }) => {
      const asked = query.ui_locales?.split(' ').join();
      const accepted = asked ?? request.headers['accept-language'];
      const body = documents.get(chooseLocale(locales, { asked: query.locale, accepted })) ?? '';
      return reply({ headers: { 'Content-Security-Policy': policyFor(query) }, body });
    },
  });
}

/** Of any type: the service says what is wrong with a parameter, not the page. */
const FORM_POST = {
  response_mode: Type.Optional(Type.Unknown()),
  redirect_uri: Type.Optional(Type.Unknown()),
};

/**
 * The policy of a page. That of a sign-in which is answered by a form (`response_mode=form_post`) lets it be posted, and
 * the browser sent on from there, which Chromium counts as well. Nothing of the address is copied, which a link writes:
 * the page posts only what the service gives it.
 */
function policyFor(query: { response_mode?: unknown; redirect_uri?: unknown }): string {
  const { response_mode: mode, redirect_uri: address } = query;
  const policy = PAGE_HEADERS['Content-Security-Policy'];
  if (mode !== 'form_post' || typeof address !== 'string' || !URL.canParse(address)) return policy;
  const { protocol } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // `http:` includes https.
  return isWeb ? policy.replace("form-action 'self'", `form-action 'self' ${protocol}`) : policy;
}

/**
 * A page that apps may also open with a form (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2). It leads to the same
 * page with the fields in its address, where the page reads them: a form has no more power than a link.
 */
function postedRoute(path: `/${string}`): Route<unknown> {
  return route(`POST ${path}`, {
    summary: `Open the page ${path} with a form`,
    query: openQuery({}),
    body: FIELDS,
    status: 303,
    handler: ({ body }) => {
      const query = new URLSearchParams(body as Record<string, string>); // a field that was not sent is not in it
      return reply({
        status: 303,
        headers: { Location: `${path}?${query.toString()}`, 'Cache-Control': 'no-store' },
      });
    },
  });
}

/** The parameters of both pages that mean something. Others must be ignored (RFC 6749 §3.1). */
const PARAMETERS = [
  'acr_values claims client_id code_challenge code_challenge_method display id_token_hint login_hint',
  'logout_hint max_age nonce post_logout_redirect_uri prompt redirect_uri request request_uri resource',
  'response_mode response_type scope state ui_locales',
].flatMap((names) => names.split(' '));

/** Each as long as an address may be: an ID token of somebody in many groups is long. */
const FIELDS = form(
  Object.fromEntries(PARAMETERS.map((name) => [name, Type.Optional(Type.String({ maxLength: 16_384 }))])),
);

/** Creates a brand's style sheet and logos below `/web/`. Their names change with their content. */
function brandFilesOf(brand: Brand) {
  const files = new Map<string, string>();
  const add = (name: string, ending: string, text: string): string => {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    files.set(`${name}-${hash}${ending}`, text);
    return `${name}-${hash}${ending}`;
  };
  return {
    style: add('brand', '.css', brandCss(brand)),
    logo: brand.logo && add('logo', '.svg', drawingOf(brand.logo)),
    logoDark: brand.logoDark && add('logo-dark', '.svg', drawingOf(brand.logoDark)),
    files,
  };
}

/** Returns a logo as SVG. Responses are text, so a PNG is embedded in an SVG. */
function drawingOf({ bytes, contentType }: Logo): string {
  if (contentType === 'image/svg+xml') return bytes.toString('utf8');
  const { width, height } = sizeOfPng(bytes);
  const source = `data:image/png;base64,${bytes.toString('base64')}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" href="${source}"/></svg>`;
}

export type PageStyle = ReturnType<typeof readPageStyle>;

/** @throws {ConfigError} describing the error in a file of the brand or the texts. */
export function readPageStyle(config: Static<TObject<typeof brandSettings>>) {
  const { BRAND_FILE: brandFile, LOCALES_DIRECTORY: directory } = config;
  return {
    brand: readBrand(brandFile),
    isBranded: brandFile !== undefined,
    locales: readLocales(directory, byLanguage(PAGE_TEXTS), (key) => !key.startsWith('mail.')),
  };
}
