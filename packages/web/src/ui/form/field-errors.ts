import type { ClientErrorCode } from 'gatehouse-client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Problem } from '../api/api.ts';
import type { MessageKey, Text } from '../locale/locale.ts';

/** The error texts of a form's fields, by field name. */
export type FieldErrors = ReadonlyMap<string, string>;

export const FieldErrorsContext = createContext<FieldErrors>(new Map());

export function useFieldError(name: string): string | undefined {
  return useContext(FieldErrorsContext).get(name);
}

/** The name of the field that an error code is about. */
export type FieldsByCode = Readonly<Partial<Record<ClientErrorCode, string>>>;

/** The errors of the fields that the form has. The form itself shows all others. */
export function fieldErrorsOf(
  problem: Problem,
  names: readonly string[],
  text: Text,
  at: FieldsByCode = {},
): FieldErrors {
  const found = new Map<string, string>();
  const { code: whole } = problem;
  const errors = at[whole] === undefined ? problem.errors : [{ pointer: `/${at[whole]}`, code: whole }];
  for (const { pointer, code } of errors) {
    const name = pointer.split('/')[1] ?? '';
    if (names.includes(name) && !found.has(name)) found.set(name, text(FAULTS[code] ?? 'fault.malformed'));
  }
  return found;
}

/** The texts for the API's codes of field errors. */
const FAULTS: Record<string, MessageKey> = {
  required: 'fault.required',
  not_an_email: 'fault.not_an_email',
  too_short: 'fault.too_short',
  too_long: 'fault.too_long',
  password_too_long: 'fault.password_too_long',
  password_too_short: 'fault.password_too_short',
  password_too_common: 'fault.password_too_common',
  wrong_password: 'fault.wrong_password',
  wrong_code: 'fault.wrong_code',
  invalid_code: 'fault.invalid_code',
  password_is_email: 'fault.password_is_email',
  not_same: 'fault.not_same',
};
