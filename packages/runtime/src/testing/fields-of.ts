/** These fields of each item, as tests compare them; the values alone, if it is one field. */
export function fieldsOf<Item extends object>(
  items: readonly Item[],
  ...fields: readonly (keyof Item)[]
): unknown[] {
  return items.map((item) => {
    const values = fields.map((field) => item[field]);
    return values.length === 1 ? values[0] : values;
  });
}
