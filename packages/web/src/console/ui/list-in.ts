/** The entries of a typed list, separated by commas, spaces or line breaks. */
export function listIn(typed = ''): string[] {
  return typed.split(/[\s,]+/).filter(Boolean);
}

/** The labels of a typed list, which may contain spaces. */
export function labelsIn(typed = ''): string[] {
  return typed.split(/[\n,]/).flatMap((label) => label.trim() || []);
}
