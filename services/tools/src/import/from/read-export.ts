import { emailKey, normalizeEmail } from '@gatehouse/schema';
import { auth0 } from './auth0.ts';
import { betterAuth } from './better-auth.ts';
import { cognito } from './cognito.ts';
import { isEntry, type Conversion, type Converter, type ImportLine, type SkipReason } from './conversion.ts';
import { django } from './django.ts';
import { firebase } from './firebase.ts';
import { keycloak } from './keycloak.ts';
import { supabase } from './supabase.ts';
import { CommandError } from '../../terminal.ts';
import { readSource, type Source } from './read-source.ts';

/** The systems whose exports can be imported, by the value of `--from`. */
export const CONVERTERS: ReadonlyMap<string, Converter> = new Map([
  ['keycloak', keycloak],
  ['auth0', auth0],
  ['firebase', firebase],
  ['supabase', supabase],
  ['cognito', cognito],
  ['django', django],
  ['better-auth', betterAuth],
]);

/** An export as lines of an import, and the data that is not carried over. */
export interface ConvertedExport {
  /** The lines, each with the place of its entry. */
  lines: readonly ExportLine[];
  /** The places that are not valid JSON. */
  faults: readonly string[];
  /** Entries with the same address as another: `entry 7 has the address of entry 3`. */
  doubles: readonly string[];
  /** The number of occurrences by reason, and below that by kind of data. */
  leftOut: ReadonlyMap<string, number>;
  notCarried: ReadonlyMap<string, number>;
}

interface ExportLine {
  place: string;
  line: ImportLine;
}

/**
 * Reads an export of another system: one JSON document, or a JSON object on each line.
 *
 * @throws {CommandError} if the system is unknown, or if the file is not one of its exports.
 */
export function readExport(file: string, system: string): ConvertedExport {
  const converter = CONVERTERS.get(system);
  if (converter === undefined) {
    throw new CommandError(`--from ${system} is unknown`, `Known are ${[...CONVERTERS.keys()].join(', ')}.`);
  }
  const source = readSource(file);
  const entries = converter.entriesOf(source.value);
  if (entries === undefined) {
    throw new CommandError(
      `${file} is not an export of ${system}`,
      'See "Migrating from" in docs/migrating.md.',
    );
  }
  return { ...convertAll(converter, entries, source), faults: source.faults };
}

function convertAll(
  { convert, fields }: Converter,
  entries: NonNullable<ReturnType<Converter['entriesOf']>>,
  { placeOf }: Pick<Source, 'placeOf'>,
): Omit<ConvertedExport, 'faults'> {
  const known = new Set(fields);
  const leftOut = new Map<string, number>();
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
    return [{ place: placeOf(at), line: conversion.line }];
  });
  const { lines, doubles } = withoutDoubles(found);
  for (const _ of doubles) count(leftOut, DOUBLE);
  return { lines, doubles, leftOut, notCarried };
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

function keyOf({ Email }: ImportLine): string {
  return emailKey(normalizeEmail(Email) ?? Email);
}

function hasPassword({ line: { PasswordHash, CredentialData } }: ExportLine): boolean {
  return PasswordHash !== undefined || CredentialData !== undefined;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function containsValue(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
