import type { Schema } from '../openapi/client-operations.ts';

/** The schemas of one side, by the names that references contain. */
export type Schemas = Readonly<Record<string, Schema>>;

/** Whether clients send these values, or receive them. */
export type Direction = 'input' | 'output';

interface Sides {
  before: Schemas;
  after: Schemas;
}

/**
 * What of a schema no longer holds for clients that were written for it: removed fields and values, other types, new
 * required input, and output that was always there and no longer is. Places are named by the shared schema, so that
 * each difference has one message however many operations have it.
 */
export class SchemaBreaks {
  readonly #sides: Sides;
  readonly #direction: Direction;
  /** Shared schemas that were compared, which also ends recursion. */
  readonly #compared = new Set<string>();

  constructor(sides: Sides, direction: Direction) {
    this.#sides = sides;
    this.#direction = direction;
  }

  find(place: string, before: Schema, after: Schema): string[] {
    const [from, to] = [resolved(before, this.#sides.before), resolved(after, this.#sides.after)];
    const shared = from.name ?? place;
    const pair = `${shared} ${to.name ?? place}`;
    if (from.name !== undefined && this.#compared.has(pair)) return [];
    this.#compared.add(pair);
    return this.#differences(shared, from.schema, to.schema);
  }

  #differences(place: string, before: Schema, after: Schema): string[] {
    const [was, is] = [typesOf(before), typesOf(after)];
    // Input may become wider, and output narrower.
    const [narrow, wide] = this.#direction === 'input' ? [was, is] : [is, was];
    const fits = wide.length === 0 || (narrow.length > 0 && narrow.every((type) => wide.includes(type)));
    if (was.length > 0 && !fits) {
      return [`${place}: its type was ${was.join(' or ')} and is ${is.join(' or ') || 'any'}`];
    }
    return [
      ...removedValues(place, before, after),
      ...this.#fields(place, before, after),
      ...this.#required(place, before, after),
      ...this.#variants(place, before, after),
      ...(before.items && after.items ? this.find(`${place}[]`, before.items, after.items) : []),
    ];
  }

  #fields(place: string, before: Schema, after: Schema): string[] {
    return Object.entries(before.properties ?? {}).flatMap(([name, field]) => {
      const now = after.properties?.[name];
      return now === undefined ? [`${place}.${name}: removed`] : this.find(`${place}.${name}`, field, now);
    });
  }

  #required(place: string, before: Schema, after: Schema): string[] {
    const [was, is] = [before.required ?? [], after.required ?? []];
    if (this.#direction === 'input') {
      return is.filter((name) => !was.includes(name)).map((name) => `${place}.${name}: now required`);
    }
    return was
      .filter((name) => !is.includes(name) && after.properties?.[name] !== undefined)
      .map((name) => `${place}.${name}: no longer always there`);
  }

  #variants(place: string, before: Schema, after: Schema): string[] {
    const now = new Map(variantsOf(after).map((variant, at) => [keyOf(variant, at), variant]));
    return variantsOf(before).flatMap((variant, at) => {
      const key = keyOf(variant, at);
      const same = now.get(key);
      return same === undefined ? [`${place}: variant ${key} removed`] : this.find(place, variant, same);
    });
  }
}

function removedValues(place: string, before: Schema, after: Schema): string[] {
  const was = valuesOf(before);
  const is = new Set(valuesOf(after));
  if (is.size === 0) return []; // any value
  return was.filter((value) => !is.has(value)).map((value) => `${place}: value ${value} removed`);
}

function valuesOf({ enum: values = [], const: only }: Schema): string[] {
  return [...values, ...(only === undefined ? [] : [only])].map((value) => JSON.stringify(value));
}

function typesOf({ type = [] }: Schema): string[] {
  return typeof type === 'string' ? [type] : type;
}

function variantsOf({ anyOf = [], oneOf = [] }: Schema): Schema[] {
  return [...anyOf, ...oneOf];
}

/** What identifies a variant: its name, else its type or value, else its position. */
function keyOf(variant: Schema, at: number): string {
  const { $ref, title, const: only } = variant;
  return (
    $ref?.split('/').at(-1) ??
    title ??
    (only === undefined ? typesOf(variant).join() || String(at) : JSON.stringify(only))
  );
}

function resolved(schema: Schema, schemas: Schemas): { name?: string; schema: Schema } {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return { schema };
  return { name, schema: schemas[name] ?? {} };
}
