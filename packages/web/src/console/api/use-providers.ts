import type { Option } from '../ui/filters.ts';
import { useQuery } from './call-api.ts';

/** The identity providers to choose from, also the one in the address, which may no longer be configured. */
export function useProviders(value: string): readonly (string | Option)[] {
  const { data } = useQuery('GET /admin/sso-provider', {});
  const known = data?.Items.map(({ Id, Name }) => ({ value: Id, words: Name })) ?? [];
  return value === '' || known.some((one) => one.value === value) ? known : [...known, value];
}
