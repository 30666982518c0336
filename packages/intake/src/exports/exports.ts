import type { Source } from '../text-file.ts';
import { typedEmail } from '../typed.ts';
import { auth0 } from './auth0.ts';
import { betterAuth } from './better-auth.ts';
import { cognito } from './cognito.ts';
import { isEntry } from './conversion.ts';
import type { Conversion, Converter, ImportLine, Listed, SkipReason } from './conversion.ts';
import { django } from './django.ts';
import { firebase } from './firebase.ts';
import { keycloak } from './keycloak.ts';
import { supabase } from './supabase.ts';

export const CONVERTERS: ReadonlyMap<string, Converter> = new Map(
  Object.entries({ keycloak, auth0, firebase, supabase, cognito, django, 'better-auth': betterAuth }),
);

const LOOKED_AT = 20;

/** The system whose export a parsed file is; `undefined` if it is none, or could be of several. */
export function systemOf(file: unknown): string | undefined {
  const found = [...CONVERTERS].filter(([, { entriesOf, marks }]) =>
    entriesOf(file)
      ?.slice(0, LOOKED_AT)
      .some(({ value }) => isEntry(value) && marks.some((names) => names.every((name) => name in value))),
  );
  return found.length === 1 ? found[0]?.[0] : undefined;
}

export interface ConvertedExport {
  lines: readonly ExportLine[];
  /** Entries with the same address as another: `entry 7 has the address of entry 3`. */
  doubles: readonly string[];
  /** The number of occurrences by reason, and below that by kind of data. */
  leftOut: ReadonlyMap<SkipReason, number>;
  notCarried: ReadonlyMap<string, number>;
}

export interface ExportLine {
  at: number;
  /** `entry 7`, or `line 7` of a file of lines. */
  place: string;
  line: ImportLine;
}

export function convertAll(
  { convert, fields }: Converter,
  entries: readonly Listed[],
  { lineOf, isLines }: Pick<Source, 'lineOf' | 'isLines'>,
): ConvertedExport {
  const known = new Set(fields);
  const leftOut = new Map<SkipReason, number>();
  const notCarried = new Map<string, number>();
  const found = entries.flatMap(({ at, value }) => {
    const entry = isEntry(value) ? value : {};
    const conversion = isEntry(value) ? convert(value) : NO_ENTRY;
    if (conversion.kind === 'left_out') {
      count(leftOut, conversion.why);
      return [];
    }
    const unknown = Object.keys(entry).filter((name) => !known.has(name) && containsValue(entry[name]));
    for (const note of [...conversion.notes, ...unknown.map((name) => `the field ${name}`)])
      count(notCarried, note);
    return [{ at: lineOf(at), place: `${isLines ? 'line' : 'entry'} ${lineOf(at)}`, line: conversion.line }];
  });
  const { lines, doubles } = withoutDoubles(found);
  for (const _ of doubles) count(leftOut, DOUBLE);
  return { lines, doubles, leftOut, notCarried };
}

/** The objects of a list or of lines as they are, if any is in our own format with what a table cannot hold. */
export function ownLines({ value, lineOf, isLines }: Source): ConvertedExport | undefined {
  const entries: unknown[] = [value].flat();
  const isOwn = (entry: unknown): boolean =>
    isEntry(entry) && 'Email' in entry && ('PasswordDigest' in entry || 'CredentialData' in entry);
  if (!entries.some(isOwn)) return undefined;
  return {
    lines: entries.map((entry, at) => ({
      at: lineOf(at),
      place: `${isLines ? 'line' : 'entry'} ${lineOf(at)}`,
      // Admin refuses what it does not know.
      line: (entry ?? {}) as ImportLine,
    })),
    ...{ doubles: [], leftOut: new Map(), notCarried: new Map() },
  };
}

const NO_ENTRY: Conversion = { kind: 'left_out', why: 'not an account' };
const DOUBLE = 'an address that another entry has' satisfies SkipReason;

/** Keeps one line per address (case-insensitive): the first with a password, otherwise the first. */
function withoutDoubles(found: readonly ExportLine[]): { lines: ExportLine[]; doubles: string[] } {
  const kept = new Map<string, ExportLine>();
  for (const one of found) {
    const key = keyOf(one.line);
    const earlier = kept.get(key);
    if (earlier === undefined || (!hasPassword(earlier) && hasPassword(one))) kept.set(key, one);
  }
  const isKept = (one: ExportLine): boolean => kept.get(keyOf(one.line)) === one;
  const doubles = found.filter((one) => !isKept(one));
  return {
    lines: found.filter(isKept),
    doubles: doubles.map(
      ({ place, line }) => `${place} has the address of ${kept.get(keyOf(line))?.place ?? ''}`,
    ),
  };
}

/** Two spellings of a domain are one address; what is no domain is refused later. */
function keyOf({ Email }: ImportLine): string {
  const email = typedEmail(Email).normalize('NFKC').toLowerCase();
  const at = email.lastIndexOf('@');
  const host = `https://${email.slice(at + 1)}`;
  return URL.canParse(host) ? `${email.slice(0, at)}@${new URL(host).hostname}` : email;
}

function hasPassword({ line: { PasswordHash, CredentialData } }: ExportLine): boolean {
  return PasswordHash !== undefined || CredentialData !== undefined;
}

export function count<K>(counts: Map<K, number>, name: K): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function containsValue(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
