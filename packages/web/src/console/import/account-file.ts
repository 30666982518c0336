import {
  convertAll,
  CONVERTERS,
  type ConvertedExport,
  decodeFile,
  type FileText,
  parseJson,
  readTable,
  systemOf,
  type Table,
} from '@gatehouse/intake';

/** A file of accounts, or why it is not read; `page`: one page of several of an export. */
export type FileReading =
  | { kind: 'table'; table: Table; encoding: FileText['encoding'] }
  | {
      kind: 'export';
      system: string;
      export: ConvertedExport;
      /** The number of lines that are not JSON. */
      faults: number;
      encoding: FileText['encoding'];
    }
  | { kind: 'unreadable' | 'page' }
  | { kind: 'equal'; names: readonly string[] };

/** Reads a file as the export of the system that it shows, otherwise as a table. */
export function readAccountFile(bytes: Uint8Array): FileReading {
  const { text, encoding } = decodeFile(bytes);
  const source = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  const system = source && systemOf(source.value);
  const converter = CONVERTERS.get(system ?? '');
  if (source === undefined || system === undefined || converter === undefined) {
    const reading = readTable(text);
    return reading.kind === 'table' ? { ...reading, encoding } : reading;
  }
  if (converter.isPage?.(source.value) === true) return { kind: 'page' };
  const converted = convertAll(converter, converter.entriesOf(source.value) ?? [], source);
  return { kind: 'export', system, export: converted, faults: source.faults.length, encoding };
}
