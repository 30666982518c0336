import { accountOf, isEntry, listed, textOf, type Converter } from './conversion.ts';

/** Metadata from apps and providers that an account already has or could not store. */
const KNOWN_ABOUT =
  'sub iss provider_id email email_verified phone_verified full_name name avatar_url picture'.split(' ');

const FIELDS = (
  'instance_id id aud role email encrypted_password email_confirmed_at confirmed_at deleted_at ' +
  'banned_until raw_user_meta_data is_anonymous is_sso_user created_at updated_at last_sign_in_at'
).split(' ');
/** Pending tokens, which are not valid after the migration. */
const PENDING = (
  'invited_at confirmation_token confirmation_sent_at recovery_token recovery_sent_at email_change ' +
  'email_change_token_new email_change_token_current email_change_sent_at email_change_confirm_status ' +
  'reauthentication_token reauthentication_sent_at phone_change phone_change_token phone_change_sent_at'
).split(' ');

/** Supabase: the rows of `auth.users` as JSON, for example from `select json_agg(u) from auth.users u`. */
export const supabase: Converter = {
  entriesOf: listed,
  convert: (entry) => {
    const hash = textOf(entry['encrypted_password']);
    const about = entry['raw_user_meta_data'];
    const given = isEntry(about) ? about : {};
    return accountOf({
      email: entry['email'],
      isVerified: textOf(entry['email_confirmed_at'] ?? entry['confirmed_at']) !== undefined,
      isClosed: textOf(entry['deleted_at']) !== undefined || isLater(entry['banned_until']),
      name: textOf(given['full_name']) ?? textOf(given['name']),
      password: hash === undefined ? undefined : { PasswordHash: hash },
      notes: Object.keys(given)
        .filter((name) => !KNOWN_ABOUT.includes(name))
        .map((name) => `the metadata ${name}`),
    });
  },
  marks: [
    ['encrypted_password', 'instance_id'],
    ['encrypted_password', 'raw_user_meta_data'],
  ],
  fields: [...FIELDS, ...PENDING],
};

/** Whether a ban is still in force. Afterwards the account can log in again. */
function isLater(moment: unknown): boolean {
  const text = textOf(moment);
  if (text === undefined) return false;
  const at = Date.parse(text);
  return Number.isNaN(at) || at > Date.now();
}
