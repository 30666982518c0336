import type { Random } from './random.ts';

/** The device of a session. */
export interface Device {
  name: string | null;
  userAgent: string;
}

const DEVICES: readonly [Device, ...Device[]] = [
  {
    name: null,
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  },
  {
    name: null,
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  },
  { name: null, userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0' },
  {
    name: 'Pixel 9',
    userAgent:
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  },
  {
    name: 'iPhone',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  },
  {
    name: 'Living room',
    userAgent:
      'Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/7.0 TV Safari/537.36',
  },
  { name: 'Command line', userAgent: 'curl/8.14.1' },
];

export function someDevice(random: Random): Device {
  return random.pick(DEVICES);
}

/** An address of the networks reserved for documentation (RFC 5737, RFC 3849). */
export function someAddress(random: Random): string {
  const last = random.whole(1, 254);
  return random.pick([
    `192.0.2.${last}`,
    `198.51.100.${last}`,
    `203.0.113.${last}`,
    `2001:db8::${last.toString(16)}`,
  ]);
}
