/** A row of a CSV file, and the number of its first line, from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * Reads CSV (RFC 4180): quoted cells may contain the separator, line breaks and doubled quotes. Lines may end with LF
 * or CRLF; empty lines are skipped. Malformed text is kept unchanged, so that no data is lost.
 */
export function readCsv(text: string, separator: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let beganOn = 1;
  const endRow = (): void => {
    cells.push(cell);
    if (cells.length > 1 || cell !== '') rows.push({ line: beganOn, cells });
    cells = [];
    cell = '';
  };
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '\n') line += 1;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === separator) {
      cells.push(cell);
      cell = '';
    } else if (letter === '\n' || letter === '\r') {
      if (letter === '\r' && text.charAt(at + 1) === '\n') continue;
      endRow();
      beganOn = line;
    } else cell += letter;
  }
  endRow();
  return rows;
}

/** The separator of the cells: comma, semicolon or tab, whichever is most frequent in the first line. */
export function separatorOf(text: string): string {
  const end = text.indexOf('\n');
  const first = end === -1 ? text : text.slice(0, end);
  const counts = [',', ';', '\t'].map((sign) => [sign, first.split(sign).length] as const);
  return counts.toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? ',';
}
