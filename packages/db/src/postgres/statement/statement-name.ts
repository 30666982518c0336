/**
 * Matches the tables that our SQL reads and writes, in order; `for update` and `do update` are not followed by a table.
 */
const PART =
  /\b(?:(insert) into|(delete) from|(?<!\bfor |\bdo )(update)|(select)\b(?:(?!\b(?:select|update|insert|delete)\b)[^;])*?\bfrom) +([a-z_][a-z_0-9]*)/g;
const PARTS_MAX = 4;

/** The name of a statement in traces, such as `update session insert outbox`: only table names of its text. */
export function statementName(sql: string): string {
  const parts: string[] = [];
  for (const [, insert, remove, update, select, table = ''] of sql.replaceAll(/\s+/g, ' ').matchAll(PART)) {
    const part = `${insert ?? remove ?? update ?? select ?? ''} ${table}`;
    if (!parts.includes(part)) parts.push(part);
    if (parts.length === PARTS_MAX) break;
  }
  return parts.length === 0
    ? (/^\s*([a-z]{1,20})\b/i.exec(sql)?.[1] ?? 'statement').toLowerCase()
    : parts.join(' ');
}
