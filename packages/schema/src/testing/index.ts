/** The validators that other programs use, for checking what we publish. */
export { Ajv } from 'ajv';
export { Ajv2020 } from 'ajv/dist/2020.js';
