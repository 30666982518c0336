import type { Problem } from '../api/api.ts';

/** A session in the way of a login, as the error describes it. */
export interface ActiveSession {
  DeviceName?: string;
  UserAgent?: string;
  LastSeenAt?: string;
}

/** What a login found that has to end another session first. */
export interface SessionExists {
  /** Least recently seen first: this is the one that ends. */
  active: readonly ActiveSession[];
  token: string;
}

/** Reads the error `session_exists` (docs/sessions.md); `undefined` for any other error. */
export function sessionExistsIn({ code, body }: Problem): SessionExists | undefined {
  const { Active: active, TakeOverToken: token } = body;
  if (code !== 'session_exists' || !Array.isArray(active) || typeof token !== 'string') return undefined;
  return { active: active as ActiveSession[], token }; // as documented; other values are shown as text
}

/** How long ago that was, in words: `2 minutes ago`. Empty if it is no time, or less than a minute. */
export function agoIn(locale: string, at: string | undefined, now: number): string {
  const seconds = (now - Date.parse(at ?? '')) / 1000;
  const words = new Intl.RelativeTimeFormat(locale);
  if (!(seconds >= 60)) return '';
  if (seconds < HOUR_SECONDS) return words.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < DAY_SECONDS) return words.format(-Math.floor(seconds / HOUR_SECONDS), 'hour');
  return words.format(-Math.floor(seconds / DAY_SECONDS), 'day');
}

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;
