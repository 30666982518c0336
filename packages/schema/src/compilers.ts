import { isVisible, typedEmail, typedName } from '@gatehouse/intake';
import { Ajv2020, str, type FuncKeywordDefinition, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { normalizeEmail } from './email.ts';
import { describeNumbers, numberOf } from './enumerations.ts';
import { isPlainText, isProse, isUuid } from './fields.ts';

/** The options for checking values with a schema. */
export interface Reading {
  unknownFields: 'drop' | 'refuse';
  coerce: boolean;
  /** Whether a check continues after the first problem. */
  allErrors: boolean;
}

/**
 * Compiles a schema, with one compiler for all schemas with the same options.
 *
 * @throws {Error} if a keyword is unknown or has a value of a wrong type. Our tests check the rest.
 */
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

/** Replaces a name that differs only in case with the spelling of the set; `enum` then checks it. */
const ANY_CASE: FuncKeywordDefinition = {
  keyword: 'anyCaseOf',
  before: 'enum',
  modifying: true,
  errors: false,
  validate: (names: readonly string[], given: unknown, _schema: unknown, place?: DataPlace): boolean => {
    if (typeof given !== 'string') return true;
    const lower = given.toLowerCase();
    const name = names.find((one) => one.toLowerCase() === lower);
    if (name !== undefined && place !== undefined) place.parentData[place.parentDataProperty] = name;
    return true;
  },
};

/** Converts text to lower case, so that an identifier has the same spelling wherever it is compared. */
const LOWER_CASE: FuncKeywordDefinition = {
  keyword: 'lowerCase',
  modifying: true,
  errors: false,
  validate: (_: unknown, given: unknown, _schema: unknown, place?: DataPlace): boolean => {
    if (typeof given !== 'string' || place === undefined) return true;
    const lower = given.toLowerCase();
    if (lower !== given) place.parentData[place.parentDataProperty] = lower;
    return true;
  },
};

/** The formats of what people type, each with how it is read. */
export const TYPED: Readonly<Partial<Record<string, (text: string) => string>>> = {
  'email-address': typedEmail,
  'user-name': typedEmail,
  'display-name': typedName,
};

/** Replaces what was typed with what was meant, before its length and format are checked. */
const AS_TYPED: FuncKeywordDefinition = {
  keyword: 'asTyped',
  type: 'string',
  before: 'maxLength',
  modifying: true,
  errors: false,
  validate: (format: string, given: string, _schema: unknown, place?: DataPlace): boolean => {
    const meant = TYPED[format]?.(given) ?? given;
    if (meant !== given && place !== undefined) place.parentData[place.parentDataProperty] = meant;
    return true;
  },
};

type DataPlace = { parentData: Record<string | number, unknown>; parentDataProperty: string | number };
