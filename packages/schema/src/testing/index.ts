/** Validators as others use them, to hold against them what is published. */
export { Ajv } from 'ajv';
export { Ajv2020 } from 'ajv/dist/2020.js';
