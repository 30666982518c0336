import * as fc from 'fast-check';
import { Fields, hostileName, hostileNumber, hostileText, hostileValue } from './hostile-values.ts';

/** Existing objects, so that requests get past the first checks. */
export interface Known {
  emails: readonly string[];
  ids: readonly string[];
  passwords: readonly string[];
  tokens: readonly string[];
}

/** The part of JSON Schema that our schemas use. */
interface Schema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  numberOf?: Record<string, number>;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  writeOnly?: boolean;
}

/** Values that match the schema, mostly built from existing objects, and some hostile values. */
export function fromSchema(schema: object, known: Known): fc.Arbitrary<unknown> {
  return near(schema, known, '');
}

function near(schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 14, arbitrary: fitting(schema, known, name) },
    { weight: 3, arbitrary: hostileOfType(schema) },
    { weight: 1, arbitrary: hostileValue() },
  );
}

/** Hostile values of the right type, because the schema refuses others at once. */
function hostileOfType(schema: Schema): fc.Arbitrary<unknown> {
  const [type] = [schema.type ?? []].flat();
  if (type === 'string') return hostileText().map((text) => text.slice(0, schema.maxLength));
  return type === 'integer' || type === 'number' ? hostileNumber() : hostileValue();
}

function fitting(schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  if (schema.properties !== undefined) return objectLike(schema.properties, schema.required ?? [], known);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.numberOf !== undefined) {
    return fc.constantFrom<unknown>(...Object.values(schema.numberOf), ...Object.keys(schema.numberOf));
  }
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => fitting(one, known, name)));
  const [type] = [schema.type ?? []].flat();
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 300, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -5, max: schema.maximum ?? 300, noNaN: true });
    case 'array':
      return fc.array(near(schema.items ?? {}, known, name), {
        minLength: schema.minItems ?? 0,
        maxLength: 4,
      });
    case 'string':
      return textLike(schema, known, name);
    default:
      return fc.oneof(fc.constantFrom(...known.tokens, 'AAAA-AAAA'), hostileValue());
  }
}

/** Each field is present, missing or hostile, and unknown fields may be added. */
function objectLike(
  properties: Record<string, Schema>,
  required: readonly string[],
  known: Known,
): fc.Arbitrary<Fields> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const given = near(schema, known, name).map((value) => [[name, value] as const]);
    const missing = fc.constant([]);
    const twice = fc
      .tuple(near(schema, known, name), hostileValue())
      .map((pair) => pair.map((value) => [name, value] as const));
    return fc.oneof(
      { weight: 12, arbitrary: given },
      { weight: required.includes(name) ? 1 : 8, arbitrary: missing },
      { weight: 1, arbitrary: twice },
    );
  });
  const others = fc.array(fc.tuple(hostileName(), hostileValue()), { maxLength: 2 });
  return fc.tuple(fc.tuple(...fields), others).map(([own, more]) => new Fields([...own.flat(), ...more]));
}

function textLike(schema: Schema, known: Known, name: string): fc.Arbitrary<string> {
  const max = Math.min(schema.maxLength ?? 50, 60);
  const plain = fc.string({ minLength: schema.minLength ?? 0, maxLength: max });
  switch (schema.format) {
    case 'uuid':
      return fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...known.ids) },
        { weight: 1, arbitrary: fc.uuid() },
      );
    case 'email-address':
      return fc.constantFrom(...known.emails, ...known.emails.map((email) => ` ${email.toUpperCase()} `));
    case 'date-time':
      return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    case 'uri':
      return fc.webUrl();
    default:
  }
  if (schema.pattern !== undefined) return fc.oneof(fc.constantFrom('en', 'de-AT'), plain);
  if (schema.writeOnly === true) return fc.constantFrom(...known.passwords);
  if (/token/i.test(name)) return fc.constantFrom(...known.tokens);
  if (/^(username|email)$/i.test(name)) return fc.constantFrom(...known.emails);
  return fc.oneof(plain, fc.constantFrom('The board meets', 'Ann', 'person'));
}
