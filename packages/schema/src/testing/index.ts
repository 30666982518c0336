import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';

/** The validators that other programs use, for checking what we publish. */
export { Ajv } from 'ajv';
export { Ajv2020 } from 'ajv/dist/2020.js';

const examiner = new Ajv2020();

/** Checks a schema by JSON Schema's own rules, which services do not load; throws, saying where it breaks them. */
export function examine(schema: TSchema): void {
  void examiner.validateSchema(schema, true);
}
