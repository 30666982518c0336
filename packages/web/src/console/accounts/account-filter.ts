import { LoginStatus } from 'gatehouse-client';
import type { Filter } from '../ui/table/filters.ts';

/** The filters of the account list. */
export const ACCOUNT_FILTERS: readonly Filter[] = [
  { name: 'search', label: 'accounts.search', type: 'search' },
  { name: 'role', label: 'accounts.role', options: ['User', 'Guest', 'Admin'], texts: 'role' },
  {
    name: 'loginStatus',
    label: 'accounts.condition',
    type: 'number',
    options: Object.values(LoginStatus),
    texts: 'condition',
  },
  { name: 'hasTwoFactor', label: 'accounts.twoFactor', type: 'boolean' },
  { name: 'hasPassword', label: 'accounts.password', type: 'boolean', isRare: true },
  { name: 'hasPasskey', label: 'accounts.passkey', type: 'boolean', isRare: true },
  { name: 'isThrottled', label: 'accounts.throttled', type: 'boolean', isRare: true },
  { name: 'isService', label: 'accounts.service', type: 'boolean', isRare: true },
  { name: 'disabledUntilBefore', label: 'accounts.banEnds', type: 'datetime-local', isRare: true },
  { name: 'group', label: 'accounts.group', isRare: true },
  { name: 'createdFrom', label: 'accounts.createdFrom', type: 'datetime-local', isRare: true },
  { name: 'createdTo', label: 'accounts.createdTo', type: 'datetime-local', isRare: true },
  { name: 'lastLoginBefore', label: 'accounts.dormant', type: 'datetime-local', isRare: true },
];
