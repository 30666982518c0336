export { CHART, VALUE_FILES } from './chart/chart-files.ts';
export { COMPONENTS, isSecret, type Schema } from './chart/values-schema.ts';
export { helm } from './chart/helm.ts';
export { DOCUMENT_FILE, ALL_ROUTES, nameOf } from './openapi/merged-document.ts';
export { CALLERS, readRoles, type Caller } from './tables/role-table.ts';
export { readItems, readPart } from './tables/markdown-table.ts';
export { ROOT } from './write-generated.ts';
