import { describeUserAgent } from '@gatehouse/intake';

/** The device of a session: the name given by the app, or else browser and system, or the whole user agent. */
export function deviceName(session: { DeviceName?: string | null; UserAgent?: string | null }) {
  return (
    session.DeviceName ??
    (session.UserAgent ? (describeUserAgent(session.UserAgent) ?? session.UserAgent) : undefined)
  );
}

export function kindOfDevice(userAgent: string): 'phone' | 'tablet' | 'computer' {
  if (/\biPad\b|\bAndroid\b(?!.*\bMobile\b)/.test(userAgent)) return 'tablet';
  return /\b(?:iPhone|iPod|Android|Mobile)\b/.test(userAgent) ? 'phone' : 'computer';
}
