import { isName, type Language } from './letter.ts';

/** ` (device “Firefox, Linux”, 192.0.2.1)`, as far as it is known and may be repeated: a thief may name a device. */
export function requestSource(
  language: Language,
  content: { DeviceName?: string; IpAddress?: string },
): string {
  const device = isName(content.DeviceName) && { en: 'device', de: 'Gerät' }[language];
  const parts = [device && `${device} “${content.DeviceName}”`, content.IpAddress].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
