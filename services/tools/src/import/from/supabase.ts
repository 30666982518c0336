import { accountOf, isEntry, listed, textOf, type Converter } from './conversion.ts';

/** Of what apps and providers tell about somebody: what an account has, or could not keep. */
const KNOWN_ABOUT = [
  'sub',
  'iss',
  'provider_id',
  'email',
  'email_verified',
  'phone_verified',
  'full_name',
  'name',
  'avatar_url',
  'picture',
];

/** Supabase: the rows of `auth.users` as JSON, such as `select json_agg(u) from auth.users u` gives them. */
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
  fields: [
    'instance_id',
    'id',
    'aud',
    'role',
    'email',
    'encrypted_password',
    'email_confirmed_at',
    'confirmed_at',
    'deleted_at',
    'banned_until',
    'raw_user_meta_data',
    'is_anonymous',
    'is_sso_user',
    'created_at',
    'updated_at',
    'last_sign_in_at',
    // Of tokens under way, which end with the other system.
    'invited_at',
    'confirmation_token',
    'confirmation_sent_at',
    'recovery_token',
    'recovery_sent_at',
    'email_change',
    'email_change_token_new',
    'email_change_token_current',
    'email_change_sent_at',
    'email_change_confirm_status',
    'reauthentication_token',
    'reauthentication_sent_at',
    'phone_change',
    'phone_change_token',
    'phone_change_sent_at',
  ],
};

/** Of a ban: one that is over lets its account in. */
function isLater(moment: unknown): boolean {
  const text = textOf(moment);
  if (text === undefined) return false;
  const at = Date.parse(text);
  return Number.isNaN(at) || at > Date.now();
}
