/** A map with at most `max` entries; the oldest are removed first. */
export class BoundedMap<V> extends Map<string, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: string, value: V): this {
    super.delete(key);
    super.set(key, value);
    if (this.size > this.#max) {
      const [first] = this.keys();
      if (first !== undefined) super.delete(first);
    }
    return this;
  }
}
