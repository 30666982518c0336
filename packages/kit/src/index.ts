export { address, by, defineFilters, email, moment, named, reading, search, where } from './filters.ts';
export { readMoment, type FilterValues } from './filters.ts';
export { endOwnGrants, listOwnGrants, OwnGrants } from './own-grants.ts';
export { computed, Field, fieldsIn, pascal, record, sql, time, timeOrNull, type RowOf } from './record.ts';
export { kit } from './routes.ts';
