import { isVisible, typedEmail, typedName } from '@gatehouse/intake';
import { Ajv2020, str, type FuncKeywordDefinition, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { normalizeEmail } from './email.ts';
import { describeNumbers, numberOf } from './enumerations.ts';
import { isPlainText, isProse, isUuid } from './fields.ts';

export interface Reading {
  unknownFields: 'drop' | 'refuse';
  coerce: boolean;
  /** Whether a check continues after the first problem. */
  allErrors: boolean;
}

/** With one compiler for each set of options. @throws {Error} for an unknown keyword, or a value of a wrong type. */
export function compileSchema(schema: TSchema, reading: Reading): ValidateFunction {
  const name = `${reading.unknownFields} ${reading.coerce} ${reading.allErrors}`;
  const compiler = compilers.get(name) ?? createCompiler(reading);
  compilers.set(name, compiler);
  return compiler.compile(schema);
}

const compilers = new Map<string, Ajv2020>();

function createCompiler({ unknownFields, coerce, allErrors }: Reading): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    // Compiling the rules for schemas takes longer than any of our schemas, which are constants: tests examine them.
    validateSchema: false,
    meta: false,
    // Optimizing takes as long as compiling. That is worth it for bodies and answers, but not for settings and queries.
    code: { optimize: !coerce },
    strict: true,
    allowUnionTypes: true,
    useDefaults: coerce,
    coerceTypes: coerce,
    removeAdditional: unknownFields === 'drop' ? 'all' : false,
  });
  formats.default(ajv, ['uri']);
  ajv.addFormat('date-time', isDateTime);
  ajv.addFormat('uuid', isUuid);
  ajv.addFormat('email-address', (text: string) => normalizeEmail(text) !== undefined);
  ajv.addFormat('user-name', () => true);
  ajv.addFormat('display-name', (text: string) => isPlainText(text) && isVisible(text));
  ajv.addFormat('plain-text', isPlainText);
  ajv.addFormat('prose', isProse);
  ajv.addKeyword(numberOfKeyword(coerce));
  ajv.addKeyword(ANY_CASE);
  ajv.addKeyword(LOWER_CASE);
  ajv.addKeyword(AS_TYPED);
  // Only for documents: handlers report in clearer words which fields belong together.
  ajv.addKeyword('oneOfFields');
  return ajv;
}

/** The library splits a text at every space, however long it is. No time is as long as this. */
const DATE_TIME_LENGTH_MAX = 64;
// The library's format is an object with this function, and one that compares.
const { validate: isLibraryDateTime } = formats.default.get('date-time') as {
  validate: (text: string) => boolean;
};

function isDateTime(text: string): boolean {
  return text.length <= DATE_TIME_LENGTH_MAX && isLibraryDateTime(text);
}

/** Replaces a name with its integer; strings in paths and queries may also contain the digits. */
function numberOfKeyword(coerce: boolean): FuncKeywordDefinition {
  return {
    keyword: 'numberOf',
    modifying: true,
    errors: false,
    error: {
      message: ({ schema }) =>
        str`must be one of the numbers or names ${describeNumbers(schema as Record<string, number>)}`,
    },
    validate: (set: Record<string, number>, given: unknown, _schema: unknown, place?: DataPlace): boolean => {
      const isDigits = coerce && typeof given === 'string' && /^[0-9]{1,9}$/.test(given);
      const number = numberOf(set, isDigits ? Number(given) : given);
      if (number !== undefined && place !== undefined) place.parentData[place.parentDataProperty] = number;
      return number !== undefined;
    },
  };
}

/** A keyword that replaces a text by what it stands for, before the keyword `before` checks it. */
function replacing(
  keyword: string,
  meant: (value: never, given: string) => string,
  more: Pick<FuncKeywordDefinition, 'type' | 'before'> = {},
): FuncKeywordDefinition {
  return {
    keyword,
    ...more,
    modifying: true,
    errors: false,
    validate: (value: unknown, given: unknown, _schema: unknown, place?: DataPlace): boolean => {
      if (typeof given !== 'string' || place === undefined) return true;
      const text = meant(value as never, given); // the value of its keyword
      if (text !== given) place.parentData[place.parentDataProperty] = text;
      return true;
    },
  };
}

/** A name that differs only in case gets the spelling of the set. */
const ANY_CASE = replacing(
  'anyCaseOf',
  (names: readonly string[], given) =>
    names.find((one) => one.toLowerCase() === given.toLowerCase()) ?? given,
  { before: 'enum' },
);

/** Lower case, so that an identifier has the same spelling wherever it is compared. */
const LOWER_CASE = replacing('lowerCase', (_, given) => given.toLowerCase());

/** The formats of what people type, each with how it is read. */
export const TYPED: Readonly<Partial<Record<string, (text: string) => string>>> = {
  'email-address': typedEmail,
  'user-name': typedEmail,
  'display-name': typedName,
};

/** What was typed is replaced with what was meant, before its length and format are checked. */
const AS_TYPED = replacing('asTyped', (format: string, given) => TYPED[format]?.(given) ?? given, {
  type: 'string',
  before: 'maxLength',
});

type DataPlace = { parentData: Record<string | number, unknown>; parentDataProperty: string | number };
