/** What can be wrong with a field. The codes are stable: clients decide by them, and choose their own words. */
export const FAULTS = {
  required: 'A required field or parameter is missing',
  unknown_field: 'Unknown field or parameter; names are case-sensitive',
  wrong_type: 'Wrong JSON type, not a number, or given more than once',
  too_short: 'The string is too short',
  too_long: 'The string is too long',
  too_small: 'The number is less than the minimum',
  too_large: 'The number is greater than the maximum',
  too_few: 'The array has too few items, or the object has no fields',
  too_many: 'The array has too many items',
  unknown_value: 'Not one of the allowed values',
  malformed: 'The string does not match the required format',
  not_an_email: 'Not an email address that can receive mail',
  not_a_uuid: 'Not a UUID',
  not_a_date_time: 'Not a valid RFC 3339 date and time',
  not_a_uri: 'Not a URI',
  not_plain_text: 'The string contains control characters or unpaired surrogates',
  does_not_go_with:
    'Cannot be combined with another field of the request, or exactly one of several fields is required',
  unknown_cursor: 'Not a `NextCursor` of this list',
  unknown_object: 'The referenced object does not exist or is of the wrong kind',
  taken: 'The value is already in use',
  password_too_short: 'The password is too short',
  password_too_long: 'The password is longer than 256 characters',
  password_too_common: 'The password is too common',
  password_is_email: 'The password equals the email address or its local part',
  password_malformed: 'The password contains a NUL character or unpaired surrogates',
} as const;

export type FaultCode = keyof typeof FAULTS;

/** One problem of a value: where it is (a JSON Pointer, RFC 6901), as a message, and as a code. */
export interface Problem {
  pointer: string;
  message: string;
  code: FaultCode;
}

export const PROBLEMS_MAX = 20;
