import type { LoginStep } from '@gatehouse/accounts';
import { invalidRequest } from '@gatehouse/http';
import { typedCode, type Problem } from '@gatehouse/schema';

/** What a login may hold. */
interface LoginBody {
  Username?: string;
  Password?: string;
  TwoFactorToken?: string;
  TwoFactorCode?: string;
}

/** Reads a login as one of its two steps; what is neither, or both, is refused with every field at fault. */
export function readLoginStep({ Username, Password, TwoFactorToken, TwoFactorCode }: LoginBody): LoginStep {
  const given: Record<string, unknown> = { Username, Password, TwoFactorCode };
  const [needed, unwanted] =
    TwoFactorToken === undefined
      ? [['Username', 'Password'], []]
      : [['TwoFactorCode'], ['Username', 'Password']];
  const errors: Problem[] = [
    ...needed
      .filter((name) => given[name] === undefined)
      .map((name) => ({ pointer: `/${name}`, message: 'is required', code: 'required' as const })),
    ...unwanted
      .filter((name) => given[name] !== undefined)
      .map((name) => ({
        pointer: `/${name}`,
        message: 'cannot be combined with TwoFactorToken',
        code: 'does_not_go_with' as const,
      })),
  ];
  if (errors.length === 0 && TwoFactorToken !== undefined && TwoFactorCode !== undefined) {
    return { token: TwoFactorToken, code: typedCode(TwoFactorCode) };
  }
  if (errors.length === 0 && Username !== undefined && Password !== undefined) {
    const code = TwoFactorCode === undefined ? undefined : typedCode(TwoFactorCode);
    return { userName: Username, password: Password, code };
  }
  throw invalidRequest('The request failed validation', { errors });
}
