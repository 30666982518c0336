import type { TextKey, useWordsFor, Words } from '../text.ts';
import type { Filter } from '../ui/table/filter-bar.tsx';
import { STATUSES } from './session-filter.ts';
import type { EndReason } from '@gatehouse/schema';

interface SessionFilters {
  words: Words;
  wordsFor: ReturnType<typeof useWordsFor>;
  /** The names of the identity providers. */
  providers: readonly string[];
  /** The end reason that the list shows, or several separated by commas. */
  endReason: string | undefined;
}

/** The filters of the session list. */
export function sessionFilters({ words, wordsFor, providers, endReason = '' }: SessionFilters): Filter[] {
  const several = endReason.includes(',') ? [endReason] : [];
  return [
    { name: 'search', label: words('sessions.search'), type: 'search' },
    {
      name: 'status',
      label: words('sessions.status'),
      options: STATUSES.map((value) => ({ value: String(value), words: wordsFor('sessionStatus', value) })),
    },
    {
      name: 'isOnline',
      label: words('sessions.online'),
      options: [
        { value: 'true', words: words('yes') },
        { value: 'false', words: words('no') },
      ],
    },
    { name: 'ipAddress', label: words('sessions.network'), isRare: true },
    { name: 'deviceName', label: words('sessions.deviceName'), isRare: true },
    {
      name: 'ssoProvider',
      label: words('sessions.provider'),
      options: providers.map((value) => ({ value, words: value })),
      isRare: true,
    },
    {
      name: 'endReason',
      label: words('sessions.endReason'),
      options: [...several, ...END_REASONS].map((value) => ({
        value,
        words: value
          .split(',')
          .map((reason) => wordsFor('sessionReason', reason))
          .join(', '),
      })),
      isRare: true,
    },
    { name: 'createdFrom', label: words('sessions.createdFrom'), type: 'datetime-local', isRare: true },
    { name: 'createdTo', label: words('sessions.createdTo'), type: 'datetime-local', isRare: true },
    { name: 'endedFrom', label: words('sessions.endedFrom'), type: 'datetime-local', isRare: true },
    { name: 'endedTo', label: words('sessions.endedTo'), type: 'datetime-local', isRare: true },
    { name: 'lastSeenBefore', label: words('sessions.idle'), type: 'datetime-local', isRare: true },
    { name: 'userId', label: words('sessions.userId'), isRare: true },
    { name: 'contentDefinitionId', label: words('sessions.contentId'), isRare: true },
  ];
}

/** Every reason in docs/sessions.md; each has a text. */
const WORDS: { [Reason in EndReason]: `sessionReason.${Reason}` extends TextKey ? true : never } = {
  logout: true,
  provider_logout: true,
  expired: true,
  replaced: true,
  administrator: true,
  password_changed: true,
  password_reset: true,
  email_taken_back: true,
  new_password_required: true,
  two_factor_enabled: true,
  two_factor_removed: true,
  two_factor_required: true,
  passkey_removed: true,
  identity_unlinked: true,
  refresh_token_reused: true,
  account_disabled: true,
  account_expired: true,
  account_erased: true,
  role_changed: true,
  access_revoked: true,
  invitation_accepted: true,
  invited_anew: true,
};

const END_REASONS = Object.keys(WORDS);
