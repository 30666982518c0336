import { useLocation } from 'preact-iso';
import type { TextKey } from '../text.ts';
import { momentOf } from './typed.ts';

/** A filter of a list. The name is the same in the address and in the query of the API. */
export interface Filter {
  name: string;
  label: TextKey;
  /** Text by default. */
  type?: 'text' | 'search' | 'datetime-local' | 'boolean' | 'number';
  /** The values to choose from: with their names, or named by the text `<texts>.<value>`. By default all with a text. */
  options?: readonly (string | number | Option)[];
  texts?: string;
  /** A hook that returns the options; `value` is the one in the address. */
  useOptions?: (value: string) => readonly (string | Option)[];
  /** Offered after the others. */
  isRare?: boolean;
}

export interface Option {
  value: string;
  words: string;
}

type Values = Readonly<Record<string, string>>;

export interface Filters {
  values: Values;
  /** Changes filters; `undefined` or an empty value removes one. Resets to the first page, unless `keepPage`. */
  set: (changes: Readonly<Record<string, string | undefined>>, options?: { keepPage?: boolean }) => void;
}

export function listAt(path: string, filters: Readonly<Record<string, string>>): string {
  return `/console/${path}?${new URLSearchParams(filters).toString()}`;
}

/** The filters in the address, so that lists can be shared as links, and the Back button works. */
export function useFilters(): Filters {
  const { path, query, route } = useLocation();
  return {
    values: query,
    set: (changes, { keepPage = false } = {}) => {
      const next = { ...query, ...(!keepPage && { cursor: undefined }), ...changes };
      const search = new URLSearchParams(
        Object.entries<string | undefined>(next).flatMap(([name, value]) => (value ? [[name, value]] : [])),
      ).toString();
      route(search === '' ? path : `${path}?${search}`);
    },
  };
}

export function queryOf(filters: readonly Filter[], values: Values): Record<string, string | undefined> {
  return Object.fromEntries(
    filters.map(({ name, type }) => [
      name,
      type === 'datetime-local' ? momentOf(values[name]) : values[name] || undefined,
    ]),
  );
}

/** The filters in the address, as the `Filter` of a bulk change; `undefined` if there are none. */
export function bulkFilterOf(filters: readonly Filter[], values: Values) {
  const query = queryOf(filters, values);
  const given = filters.flatMap(({ name, type }) => {
    const value = query[name];
    const Name = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return value === undefined ? [] : [[Name, jsonOf(type, value)] as const];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Converts text to its JSON type. An invalid boolean stays unchanged, so that the API rejects it. */
function jsonOf(type: Filter['type'], value: string): unknown {
  if (type === 'number') return Number(value);
  return type === 'boolean' ? value === 'true' || (value === 'false' ? false : value) : value;
}
