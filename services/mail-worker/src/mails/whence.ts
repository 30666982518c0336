import type { Language } from './letter.ts';

/** ` (Firefox on Linux, 192.0.2.1)`, as far as it is known. The device's name is its owner's or a thief's choice. */
export function whence(language: Language, content: { DeviceName?: string; IpAddress?: string }): string {
  const device = content.DeviceName !== undefined && { en: 'device', de: 'Gerät' }[language];
  const parts = [device && `${device} “${content.DeviceName}”`, content.IpAddress].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
