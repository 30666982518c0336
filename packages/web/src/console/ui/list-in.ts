/** The entries of a typed list, separated by commas, spaces or line breaks. */
export function listIn(typed = ''): string[] {
  return typed.split(/[\s,]+/).filter(Boolean);
}
