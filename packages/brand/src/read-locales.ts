import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, jsonIn } from '@gatehouse/runtime';
import { compile, Text, Type } from '@gatehouse/schema';
import { readBoundedFile, textOf } from './read-bounded-file.ts';

export interface LocaleTexts<K extends string = string> {
  /** The name of its file without `.json`: `de`, `pt-BR`. */
  locale: string;
  texts: Readonly<Record<K, string>>;
}

/** Faults in a locale's file that are not fatal. The text of `fallback` is used instead. */
export interface LocaleGap {
  locale: string;
  fallback: string;
  missing: string[];
  /** Keys that are not used, because they are misspelt or obsolete. */
  unknown: string[];
  /** Texts with a placeholder in braces that the English text does not have. */
  unfit: string[];
}

export interface Locales<K extends string = string> {
  names: string[];
  /** The texts for a locale such as `de-AT`: its own, otherwise those of its language, otherwise English. */
  textsFor(locale: string): LocaleTexts<K>;
  /** To be logged at startup. */
  gaps: LocaleGap[];
}

/** The built-in texts. English has every key, and the other languages have the same keys. */
type BuiltIn<K extends string> = { en: Record<K, string> } & Record<string, Record<K, string>>;

/**
 * The built-in texts, overridden by those in `<locale>.json` files of a directory. Pages and mails store their texts
 * in the same files: `isOwn` selects the keys of the caller, and all others are ignored.
 *
 * @throws {ConfigError} if a file is too large, is not a JSON object of texts, or is not named after a locale.
 */
export function readLocales<K extends string>(
  directory: string | undefined,
  builtIn: BuiltIn<K>,
  isOwn: (key: string) => boolean = () => true,
): Locales<K> {
  const all = new Map(
    Object.entries(builtIn).map(([locale, texts]) => [keyOf(locale), { locale, texts }] as const),
  );
  const given = directory === undefined ? [] : filesOf(directory);
  const gaps: LocaleGap[] = [];
  // A language before its regional variants, which fall back to it.
  for (const { locale, texts } of given.toSorted((a, b) => a.locale.length - b.locale.length)) {
    const own = Object.entries(texts).filter(([key]) => isOwn(key));
    const base = nearest(all, locale) ?? { locale: 'en', texts: builtIn.en };
    const { known, gap } = compare(new Map(own), { locale, base, english: builtIn.en });
    // A file may override a few texts of a language, or of a regional variant; the others keep their defaults.
    if (languageOf(base.locale) === languageOf(locale)) gap.missing = [];
    if (gap.missing.length + gap.unknown.length + gap.unfit.length > 0) gaps.push(gap);
    all.set(keyOf(locale), { locale, texts: { ...base.texts, ...known } });
  }
  return {
    names: [...all.values()].map(({ locale }) => locale).toSorted(),
    textsFor: (locale) => nearest(all, locale) ?? all.get('en') ?? { locale: 'en', texts: builtIn.en },
    gaps,
  };
}

/** The texts of a file that can be used, and its faults. */
function compare<K extends string>(
  given: ReadonlyMap<string, string>,
  { locale, base, english }: { locale: string; base: LocaleTexts<K>; english: Record<K, string> },
): { known: Partial<Record<K, string>>; gap: LocaleGap } {
  const known: Partial<Record<K, string>> = {};
  const gap: LocaleGap = { locale, fallback: base.locale, missing: [], unknown: [], unfit: [] };
  const keys = Object.keys(english) as K[]; // the keys of a record
  for (const key of keys) {
    const text = given.get(key);
    if (text === undefined) gap.missing.push(key);
    else if (namesIn(text).every((name) => namesIn(english[key]).includes(name))) known[key] = text;
    else gap.unfit.push(key);
  }
  gap.unknown = [...given.keys()].filter((key) => !Object.hasOwn(english, key));
  return { known, gap };
}

/** The placeholders of a text: `{name}`. */
function namesIn(text: string): string[] {
  return text.match(/\{\w+\}/g) ?? [];
}

function nearest<K extends string>(all: ReadonlyMap<string, LocaleTexts<K>>, locale: string) {
  const parts = keyOf(locale).split('-');
  for (let length = parts.length; length > 0; length -= 1) {
    const found = all.get(parts.slice(0, length).join('-'));
    if (found !== undefined) return found;
  }
  return undefined;
}

function languageOf(locale: string): string | undefined {
  return keyOf(locale).split('-')[0];
}

/** Locales are case-insensitive (RFC 5646 §2.1.1). */
function keyOf(locale: string): string {
  return locale.toLowerCase().replaceAll('_', '-');
}

const FILES_MAX = 100;
const FILE_BYTES_MAX = 512 * 1024;
const LOCALE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

const check = compile(Type.Record(Type.String(), Text(2000), { maxProperties: 5000 }), {
  unknownFields: 'refuse',
});

function filesOf(directory: string): { locale: string; texts: Record<string, string> }[] {
  const names = namesOf(directory).filter((name) => name.endsWith('.json'));
  if (names.length > FILES_MAX) throw new ConfigError(`LOCALES_DIRECTORY has more than ${FILES_MAX} files`);
  const files = names.map((name) => ({
    locale: localeOf(name),
    texts: readTexts(join(directory, name), name),
  }));
  const keys = files.map(({ locale }) => keyOf(locale));
  const twice = keys.find((key, i) => keys.indexOf(key) !== i);
  if (twice !== undefined) throw new ConfigError(`LOCALES_DIRECTORY has two files for ${twice}`);
  return files;
}

function namesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new ConfigError(`LOCALES_DIRECTORY cannot be read (${code})`);
  }
}

function localeOf(name: string): string {
  const locale = name.slice(0, -'.json'.length);
  if (LOCALE.test(locale) && isKnown(locale)) return locale;
  throw new ConfigError(
    `LOCALES_DIRECTORY: ${name} is not named for a locale, such as fr.json or pt-BR.json`,
  );
}

/** Whether dates can be formatted for it. */
function isKnown(locale: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0;
  } catch {
    return false; // not well-formed
  }
}

function readTexts(path: string, name: string): Record<string, string> {
  const file = readBoundedFile(path, FILE_BYTES_MAX);
  if (file.kind === 'fault') throw new ConfigError(`LOCALES_DIRECTORY: ${name} ${file.fault}`);
  const value = jsonIn(textOf(file.bytes) ?? '');
  if (value === undefined)
    throw new ConfigError(`LOCALES_DIRECTORY: ${name} must be a JSON object, as UTF-8`);
  const [problem] = check(value) ?? [];
  if (problem !== undefined) {
    throw new ConfigError(`LOCALES_DIRECTORY: ${name}: ${problem.pointer || 'the file'} ${problem.message}`);
  }
  return value as Record<string, string>; // checked above
}
