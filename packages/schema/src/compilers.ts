import { Ajv2020, str, type FuncKeywordDefinition } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { normalizeEmail } from './email.ts';
import { describeNumbers, numberOf } from './enumerations.ts';
import { isBcryptHash, isPlainText, isProse, isUuid } from './fields.ts';

/** How a schema is to be read. */
export interface Reading {
  unknownFields: 'drop' | 'refuse';
  coerce: boolean;
  /** Whether a check goes on after the first problem. */
  tellsAll: boolean;
}

/**
 * Gives the compiler of all schemas that are read alike: each new one compiles the rules of schemas themselves
 * before its first schema, which takes longer than any of ours.
 */
export function compilerFor(reading: Reading): Ajv2020 {
  const name = `${reading.unknownFields} ${reading.coerce} ${reading.tellsAll}`;
  const compiler = compilers.get(name) ?? createCompiler(reading);
  compilers.set(name, compiler);
  return compiler;
}

const compilers = new Map<string, Ajv2020>();

function createCompiler({ unknownFields, coerce, tellsAll }: Reading): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: tellsAll,
    // What tells all is compiled while requests wait, and the schema has been looked at by then.
    validateSchema: !tellsAll,
    strict: true,
    allowUnionTypes: true,
    useDefaults: coerce,
    coerceTypes: coerce,
    removeAdditional: unknownFields === 'drop' ? 'all' : false,
  });
  formats.default(ajv, ['date-time', 'uri']);
  ajv.addFormat('uuid', isUuid);
  ajv.addFormat('email-address', (text: string) => normalizeEmail(text) !== undefined);
  ajv.addFormat('plain-text', isPlainText);
  ajv.addFormat('bcrypt', isBcryptHash);
  ajv.addFormat('prose', isProse);
  ajv.addKeyword(numberOfKeyword(coerce));
  ajv.addKeyword(ANY_CASE);
  ajv.addKeyword(LOWER_CASE);
  // For documents: handlers say in better words what goes together.
  ajv.addKeyword('oneOfFields');
  return ajv;
}

/** Puts the integer in the place of the name that was given; strings of paths and queries may be the digits. */
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

/** Puts the spelling of the set in the place of a name that differs from it by case; `enum` judges it then. */
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

/** Puts text in lower case, so that one identifier has one spelling wherever it is compared. */
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

type DataPlace = { parentData: Record<string | number, unknown>; parentDataProperty: string | number };
