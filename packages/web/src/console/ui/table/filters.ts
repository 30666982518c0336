import { useLocation } from 'preact-iso';

/** What a list is narrowed by, as it stands in the address. */
export interface Filters {
  values: Readonly<Record<string, string>>;
  /** Changes some of it; what is `undefined` or empty goes. Another filter begins at the first page. */
  set: (changes: Readonly<Record<string, string | undefined>>, options?: { keepPage?: boolean }) => void;
}

/** The filters in the address: they can be shared, and "back" works. */
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
