import { defineList } from '../list/define-list.tsx';
import { SESSION_FILTERS } from './session-filter.ts';
import { SESSION_LIST } from './session-list.tsx';

/** All sessions. A change targets the sessions that match the list's filters, or the selected ones. */
export const SessionsScreen = defineList({
  ...SESSION_LIST,
  none: 'sessions.none',
  filters: SESSION_FILTERS,
  actions: ({ changeAll }) => changeAll,
});
