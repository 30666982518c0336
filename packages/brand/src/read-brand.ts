import { dirname } from 'node:path';
import { compile, Text, Type, type Static } from '@gatehouse/schema';
import { ConfigError, jsonIn } from '@gatehouse/runtime';
import { CONTRAST_MIN, leastContrastOf, readableOn } from './contrast.ts';
import { readBoundedFile, textOf } from './read-bounded-file.ts';
import { MAIL_LOGO_BYTES_MAX, readLogo, type Logo } from './read-logo.ts';

/** The environment variables of every service that shows something to people. */
export const brandSettings = {
  BRAND_FILE: Type.Optional(
    Type.String({ description: 'JSON file with the name, accent and logo that pages and mails show' }),
  ),
  LOCALES_DIRECTORY: Type.Optional(
    Type.String({
      description:
        'directory of <locale>.json files that add to the texts of pages and mails, or change them',
    }),
  ),
};

/** A colour for light and one for dark backgrounds, as `#rrggbb`. */
export interface Shades {
  light: string;
  dark: string;
}

/** How an installation presents itself to people. */
export interface Brand {
  name: string;
  /** If undefined, the pages draw Gatehouse's arch. */
  logo?: Logo;
  /** The logo for dark backgrounds, if it differs. */
  logoDark?: Logo;
  /** The logo for mails, which must be a PNG. Undefined if the logo is not suitable for mails. */
  mailLogo?: Logo;
  mailLogoDark?: Logo;
  accent: Shades;
  onAccent: Shades;
  radiusPixels?: number;
  fontStack?: string;
  supportUrl?: string;
  privacyUrl?: string;
  termsUrl?: string;
}

/** The page itself and raised surfaces, of pages and mails. The contrast of accents is checked on both. */
export const BACKGROUNDS = { light: ['#f7f8fa', '#ffffff'], dark: ['#0f1114', '#16191d'] } as const;

/**
 * Reads the brand file. Without one, the brand is Gatehouse's own.
 *
 * @throws {ConfigError} naming every fault. For a colour with too little contrast, it suggests one that is readable.
 */
export function readBrand(path: string | undefined): Brand {
  if (path === undefined) return brandOf(OWN);
  const file = readBoundedFile(path, BRAND_BYTES_MAX);
  if (file.kind === 'fault') throw new ConfigError(`BRAND_FILE ${file.fault}`);
  const value = jsonIn(textOf(file.bytes) ?? '');
  if (value === undefined) throw new ConfigError('BRAND_FILE must be a JSON object, as UTF-8');
  const problems = check(value) ?? [];
  if (problems.length > 0) {
    throw invalid(problems.map(({ pointer, message }) => `${pointer.slice(1) || 'the file'} ${message}`));
  }
  const given = value as BrandFile; // checked above
  const { logos, faults } = readLogos(dirname(path), given);
  const all = [...faultsOf(given), ...faults];
  if (all.length > 0) throw invalid(all);
  return { ...brandOf(given), ...logos };
}

type Logos = Pick<Brand, 'logo' | 'logoDark' | 'mailLogo' | 'mailLogoDark'>;

function readLogos(folder: string, given: BrandFile): { logos: Logos; faults: string[] } {
  const faults: string[] = [];
  const read = (name: 'Logo' | 'LogoDark' | 'MailLogo' | 'MailLogoDark'): Logo | undefined => {
    const file = given[name];
    const picture = file === undefined ? undefined : readLogo(folder, file, name.startsWith('Mail'));
    if (typeof picture !== 'string') return picture;
    faults.push(`${name} ${picture}`);
    return undefined;
  };
  const [logo, logoDark] = [read('Logo'), read('LogoDark')];
  const [mailLogo, mailLogoDark] =
    given.MailLogo === undefined
      ? [logo, logoDark].map((one) => (one && isForMails(one) ? one : undefined))
      : [read('MailLogo'), read('MailLogoDark')];
  const found = { logo, logoDark, mailLogo, mailLogoDark };
  // Without undefined values.
  const logos = Object.fromEntries(Object.entries(found).filter(([, one]) => one !== undefined)) as Logos;
  return { logos, faults };
}

function isForMails({ bytes, contentType }: Logo): boolean {
  return contentType === 'image/png' && bytes.length <= MAIL_LOGO_BYTES_MAX;
}

const BRAND_BYTES_MAX = 64 * 1024;

const Colour = () => Type.String({ pattern: /^#[0-9A-Fa-f]{6}$/.source });
const FileName = () => Text(100);
const Address = () => Text(500);

const BrandFile = Type.Object({
  Name: Text(60),
  Logo: Type.Optional(FileName()),
  LogoDark: Type.Optional(FileName()),
  MailLogo: Type.Optional(FileName()),
  MailLogoDark: Type.Optional(FileName()),
  Accent: Type.Optional(Colour()),
  AccentDark: Type.Optional(Colour()),
  Radius: Type.Optional(Type.Integer({ minimum: 0, maximum: 24 })),
  FontStack: Type.Optional(Text(300)),
  SupportUrl: Type.Optional(Address()),
  PrivacyUrl: Type.Optional(Address()),
  TermsUrl: Type.Optional(Address()),
});
type BrandFile = Static<typeof BrandFile>;

const check = compile(BrandFile, { unknownFields: 'refuse' });

const OWN: BrandFile = { Name: 'Gatehouse', Accent: '#1a5fb4', AccentDark: '#84b6f4' };

function brandOf(given: BrandFile): Brand {
  const light = given.Accent ?? OWN.Accent ?? '';
  const own = given.Accent === undefined ? OWN.AccentDark : undefined;
  const dark = given.AccentDark ?? own ?? readableOn(BACKGROUNDS.dark, light, '#ffffff');
  return {
    name: given.Name,
    accent: { light: light.toLowerCase(), dark: dark.toLowerCase() },
    // The contrast of this text to the accent equals that of the accent to the background of this colour, which is
    // checked.
    onAccent: { light: BACKGROUNDS.light[1], dark: BACKGROUNDS.dark[1] },
    ...(given.Radius !== undefined && { radiusPixels: given.Radius }),
    ...(given.FontStack !== undefined && { fontStack: given.FontStack }),
    ...(given.SupportUrl !== undefined && { supportUrl: new URL(given.SupportUrl).href }),
    ...(given.PrivacyUrl !== undefined && { privacyUrl: new URL(given.PrivacyUrl).href }),
    ...(given.TermsUrl !== undefined && { termsUrl: new URL(given.TermsUrl).href }),
  };
}

/** Faults that the schema does not detect. */
function faultsOf(given: BrandFile): string[] {
  const faults = [
    ...contrastFaults('Accent', given.Accent, { backgrounds: BACKGROUNDS.light, towards: '#000000' }),
    ...contrastFaults('AccentDark', given.AccentDark, { backgrounds: BACKGROUNDS.dark, towards: '#ffffff' }),
  ];
  if (/[<>]/.test(given.Name)) faults.push('Name must not contain < or >');
  if (given.LogoDark !== undefined && given.Logo === undefined) faults.push('LogoDark goes with a Logo');
  if (given.MailLogoDark !== undefined && given.MailLogo === undefined) {
    faults.push('MailLogoDark goes with a MailLogo');
  }
  const families = given.FontStack?.split(',').map((family) => family.trim()) ?? [];
  if (!families.every((family) => FONT_FAMILY.test(family))) {
    faults.push(
      'FontStack must be names of fonts with commas, those that begin with no letter in double quotes',
    );
  }
  for (const name of ['SupportUrl', 'PrivacyUrl', 'TermsUrl'] as const) {
    const protocols = name === 'SupportUrl' ? SUPPORT_PROTOCOLS : PROTOCOLS;
    const url = given[name];
    if (url === undefined || (URL.canParse(url) && protocols.includes(new URL(url).protocol))) continue;
    faults.push(`${name} must be an address that begins with ${protocols.join(' or ')}`);
  }
  return faults;
}

const PROTOCOLS = ['https:', 'http:'];
const SUPPORT_PROTOCOLS = [...PROTOCOLS, 'mailto:'];
/** A font family that CSS accepts without escapes: words, or harmless characters in quotes. */
const FONT_FAMILY = /^(?:[A-Za-z][A-Za-z0-9-]*(?: [A-Za-z0-9-]+)*|-apple-system|"[A-Za-z0-9 .-]+")$/;

function contrastFaults(
  name: string,
  colour: string | undefined,
  { backgrounds, towards }: { backgrounds: readonly string[]; towards: string },
): string[] {
  if (colour === undefined) return [];
  const contrast = leastContrastOf(colour, backgrounds);
  if (contrast >= CONTRAST_MIN) return [];
  const shown = (Math.floor(contrast * 100) / 100).toFixed(2);
  return [
    `${name} ${colour} cannot be read well: its contrast to ${backgrounds.join(' and ')} is ${shown}:1, ` +
      `and must be ${CONTRAST_MIN}:1 at least; ${readableOn(backgrounds, colour, towards)} would do`,
  ];
}

function invalid(faults: string[]): ConfigError {
  return new ConfigError(`BRAND_FILE is invalid, ${faults.length} error(s):\n  ${faults.join('\n  ')}`);
}

/** Custom properties, to be loaded after the pages' `tokens.css`. Their values cannot inject other CSS. */
export function brandCss({ accent, onAccent, radiusPixels, fontStack }: Brand): string {
  const properties = {
    '--accent': shades(accent),
    '--on-accent': shades(onAccent),
    '--radius': radiusPixels === undefined ? undefined : `${radiusPixels}px`,
    '--font': fontStack,
  };
  const lines = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name}: ${value};`],
  );
  return `:root {\n${lines.join('\n')}\n}\n`;
}

function shades({ light, dark }: Shades): string {
  return `light-dark(${light}, ${dark})`;
}
