import { LoginStatus } from '@gatehouse/client';
import type { useWordsFor, Words } from '../text.ts';
import type { Filter } from '../ui/table/filter-bar.tsx';

const ROLES = ['User', 'Guest', 'Admin'] as const;

/** The filters of the account list. */
export function accountFilters(words: Words, wordsFor: ReturnType<typeof useWordsFor>): Filter[] {
  const yesOrNo = [
    { value: 'true', words: words('yes') },
    { value: 'false', words: words('no') },
  ];
  return [
    { name: 'search', label: words('accounts.search'), type: 'search' },
    {
      name: 'role',
      label: words('accounts.role'),
      options: ROLES.map((value) => ({ value, words: wordsFor('role', value) })),
    },
    {
      name: 'loginStatus',
      label: words('accounts.condition'),
      options: Object.values(LoginStatus).map((value) => ({
        value: String(value),
        words: wordsFor('condition', value),
      })),
    },
    { name: 'hasTwoFactor', label: words('accounts.twoFactor'), options: yesOrNo },
    { name: 'hasPasskey', label: words('accounts.passkey'), options: yesOrNo, isRare: true },
    { name: 'isThrottled', label: words('accounts.throttled'), options: yesOrNo, isRare: true },
    { name: 'isService', label: words('accounts.service'), options: yesOrNo, isRare: true },
    { name: 'createdFrom', label: words('accounts.createdFrom'), type: 'datetime-local', isRare: true },
    { name: 'createdTo', label: words('accounts.createdTo'), type: 'datetime-local', isRare: true },
    { name: 'lastLoginBefore', label: words('accounts.dormant'), type: 'datetime-local', isRare: true },
  ];
}
