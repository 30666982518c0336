/** The device of a session: the name given by the app, or else browser and system. Empty if both are unknown. */
export function deviceName(session: {
  DeviceName?: string | null;
  UserAgent?: string | null;
}): string | undefined {
  return session.DeviceName ?? (session.UserAgent ? deviceOf(session.UserAgent) : undefined);
}

/** The common names of browser and system in a user agent: `Firefox, Linux`. If it contains none, the whole text. */
export function deviceOf(userAgent: string): string {
  const find = (names: readonly (readonly [RegExp, string])[]): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const known = [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined);
  return known.length > 0 ? known.join(', ') : userAgent;
}

/** The kind of device, as far as its user agent tells. */
export function kindOfDevice(userAgent: string): 'phone' | 'tablet' | 'computer' {
  if (/\biPad\b|\bAndroid\b(?!.*\bMobile\b)/.test(userAgent)) return 'tablet';
  return /\b(?:iPhone|iPod|Android|Mobile)\b/.test(userAgent) ? 'phone' : 'computer';
}

/** In this order, because each user agent also contains names further down. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;
