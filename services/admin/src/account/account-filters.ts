import { Group, LoginStatus, OneOf, Type, Uuid } from '@gatehouse/schema';
import { by, defineFilters, email, moment, search } from '@gatehouse/kit';
import { Role } from '../account-answer.ts';

const FILTERS = {
  search: search(254),
  email: email(),
  role: by(Role),
  loginStatus: by(OneOf(LoginStatus)),
  hasTwoFactor: by(Type.Boolean(), 'Whether two-factor authentication is enabled'),
  hasPassword: by(Type.Boolean()),
  hasPasskey: by(Type.Boolean()),
  isService: by(Type.Boolean()),
  disabledUntilBefore: moment(),
  group: by(Group(), 'Accounts that have this group'),
  createdFrom: moment(),
  createdTo: moment(),
  lastLoginBefore: moment(),
  isThrottled: by(Type.Boolean(), 'Whether logins currently have to wait after failed attempts'),
};

/** The filters of the list of accounts. */
export const accountFilters = defineFilters(FILTERS);

/** Which accounts a bulk change applies to: also by their ids, which the list does not combine with filters. */
export const accountBulkFilters = defineFilters(
  { ids: by(Type.Array(Uuid(), { minItems: 1, maxItems: 1000 })), ...FILTERS },
  {
    title: 'AccountFilter',
    description: 'The same filters as for listing accounts; at least one is required',
  },
);
