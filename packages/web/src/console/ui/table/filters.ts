import { useLocation } from 'preact-iso';

/** The filters of a list, as in the address. */
export interface Filters {
  values: Readonly<Record<string, string>>;
  /** Changes filters; `undefined` or an empty value removes one. Resets to the first page, unless `keepPage`. */
  set: (changes: Readonly<Record<string, string | undefined>>, options?: { keepPage?: boolean }) => void;
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
