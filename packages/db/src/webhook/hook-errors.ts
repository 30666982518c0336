/** Why a try to send an event to a webhook failed, or why it is parked. */
export const HOOK_ERRORS = [
  'status',
  'redirect',
  'gone',
  'timeout',
  'connection_failed',
  'name_not_found',
  'certificate_invalid',
  'address_not_allowed',
  'secret_unreadable',
  'webhook_disabled',
] as const;
export type HookError = (typeof HOOK_ERRORS)[number];
