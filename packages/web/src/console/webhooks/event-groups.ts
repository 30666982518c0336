/** The event types of one subject, for example `guest`, in the order of the API. */
export type EventGroup = ReturnType<typeof groupsOf>[number];

/** Groups event types by what stands before their first dot. */
export function groupsOf(types: readonly string[]) {
  const subjects = [...new Set(types.map(subjectOf))];
  return subjects.map((subject) => ({ subject, types: types.filter((type) => subjectOf(type) === subject) }));
}

/** Whether a chosen `*` or `guest.*` stands for this type or group, which then cannot be left out by itself. */
export function isIncluded(chosen: ReadonlySet<string>, type: string): boolean {
  return type !== '*' && (chosen.has('*') || (!type.endsWith('.*') && chosen.has(`${subjectOf(type)}.*`)));
}

/** The choice after a box was ticked or cleared: without what a ticked `*` or `guest.*` stands for. */
export function toggled(chosen: ReadonlySet<string>, type: string, isOn: boolean): ReadonlySet<string> {
  const others = [...chosen].filter((one) => one !== type);
  if (!isOn) return new Set(others);
  return new Set([...others.filter((one) => !isIncluded(new Set([type]), one)), type]);
}

function subjectOf(type: string): string {
  return type.slice(0, type.indexOf('.'));
}
