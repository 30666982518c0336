/** The subset of JSON Schema that our schemas and documents use. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  default?: unknown;
  additionalProperties?: Schema | boolean;
  description?: string;
  /** Our own keyword: one of these integers or names (`OneOf`). */
  numberOf?: Readonly<Record<string, number>>;
}
