/**
 * Every way in which a field can be at fault, as machines read it, and what it means. The codes are stable;
 * clients decide by them, and choose words of their own.
 */
export const FAULTS = {
  required: 'It is missing',
  unknown_field: 'There is no such field or parameter; case counts',
  wrong_type: 'It is of another JSON type, or no number, or is there more than once',
  too_short: 'The text has too few characters',
  too_long: 'The text has too many characters',
  too_small: 'The number is below the least',
  too_large: 'The number is above the greatest',
  too_few: 'The list has too few items, or the object no field',
  too_many: 'The list has too many items',
  unknown_value: 'It is none of the values that are taken',
  malformed: 'The text does not have the form that is asked for',
  not_an_email: 'It is no email address that can be mailed',
  not_a_uuid: 'It is no UUID',
  not_a_date_time: 'It is no moment (RFC 3339) that a calendar shows',
  not_a_uri: 'It is no URI',
  not_plain_text: 'The text holds control characters or half a character',
  not_a_bcrypt_hash: 'It is no bcrypt hash of a cost that is taken',
  does_not_go_with: 'It does not go with another field that is given, or just one of several is needed',
  unknown_cursor: 'It is no `NextCursor` of this list',
  unknown_object: 'What it names is not there, or is of another kind',
  taken: 'Somebody or something else has it',
  password_too_short: 'The password has too few characters',
  password_too_long: 'The password has more than 256 characters',
  password_too_common: 'The password is among the most common ones',
  password_is_email: 'The password is the email address or its local part',
  password_malformed: 'The password holds a NUL character or half a character',
} as const;

export type FaultCode = keyof typeof FAULTS;

/** One thing wrong with a value: where it is (a JSON Pointer, RFC 6901), in words, and as a code. */
export interface Problem {
  pointer: string;
  message: string;
  code: FaultCode;
}

/** How many problems are told of one value. */
export const PROBLEMS_MAX = 20;
