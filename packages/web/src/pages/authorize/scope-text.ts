import type { MessageKey, Text } from '../../ui/locale/locale.ts';

/** What an app may do with a scope, in plain words. A scope of the installation's own is shown as it is called. */
export function scopeText(scope: string, text: Text): string {
  const key = Object.hasOwn(WORDS, scope) ? WORDS[scope] : undefined;
  return key === undefined ? text('scope.other', { scope }) : text(key);
}

const WORDS: Readonly<Record<string, MessageKey>> = {
  openid: 'scope.openid',
  profile: 'scope.profile',
  email: 'scope.email',
  groups: 'scope.groups',
  offline_access: 'scope.offline_access',
};
