export { convertAll, CONVERTERS, ownLines, systemOf } from './exports/exports.ts';
export type { ConvertedExport, ExportLine } from './exports/exports.ts';
export type { ImportLine } from './exports/conversion.ts';
export { convertTable, FIELDS, guessMapping, type Field, type Mapping } from './mapping.ts';
export { readTable, type Table } from './table.ts';
export { decodeFile, parseJson, type FileText, type Source } from './text-file.ts';
export { isVisible, typedCode, typedEmail, typedEmails, typedName } from './typed.ts';
export { describeUserAgent } from './user-agent.ts';
