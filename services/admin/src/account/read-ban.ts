import type { AccountChange } from '@gatehouse/db';
import { invalidRequest } from '@gatehouse/http';
import { Nullable, Timestamp, Type, type FaultCode } from '@gatehouse/schema';
import { readExpiry } from './read-expiry.ts';

/** The fields that disable an account, besides the `Reason` of a change. */
export const BAN_FIELDS = {
  IsDisabled: Type.Optional(Type.Boolean()),
  DisabledUntil: Type.Optional(
    Nullable(Timestamp(), {
      description: 'With `IsDisabled: true`: when the account is enabled by itself; null means never',
    }),
  ),
  TellReason: Type.Optional(
    Type.Boolean({
      description: 'With `IsDisabled: true`: whether the login tells the owner the end and the `Reason`',
    }),
  ),
};

interface Ban {
  IsDisabled?: boolean;
  DisabledUntil?: string | null;
  TellReason?: boolean;
}

/**
 * Reads these fields; `at` is where the request has them, `now` in milliseconds. The reason belongs to the account only
 * if the change disables it.
 */
export function readBan(
  { IsDisabled, DisabledUntil, TellReason }: Ban,
  { reason, at, now }: { reason: string | undefined; at: string; now: number },
): Pick<AccountChange, 'isDisabled' | 'disabledUntil' | 'disabledReason' | 'tellsReason'> {
  const disabledUntil = readExpiry(DisabledUntil, `${at}/DisabledUntil`);
  const isDisabling = IsDisabled === true;
  for (const [name, value] of Object.entries({ DisabledUntil, TellReason }))
    if (value !== undefined && !isDisabling)
      throw fault(`${at}/${name}`, 'requires IsDisabled: true', 'does_not_go_with');
  if (disabledUntil && disabledUntil.getTime() <= now)
    throw fault(`${at}/DisabledUntil`, 'must be in the future', 'too_small');
  return {
    isDisabled: IsDisabled,
    disabledUntil,
    tellsReason: TellReason,
    disabledReason: isDisabling ? reason : undefined,
  };
}

function fault(pointer: string, message: string, code: FaultCode) {
  return invalidRequest(undefined, { errors: [{ pointer, message, code }] });
}
