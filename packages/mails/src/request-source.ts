import type { Language } from './letter.ts';
import { shownName } from './shown-name.ts';

/** ` (device “Firefox, Linux”, 192.0.2.1)`, as far as it is known and may be repeated: a thief may name a device. */
export function requestSource(
  language: Language,
  content: { DeviceName?: string; IpAddress?: string },
): string {
  const name = shownName(content.DeviceName);
  const device = { en: 'device', de: 'Gerät' }[language];
  const parts = [name && `${device} “${name}”`, content.IpAddress].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
