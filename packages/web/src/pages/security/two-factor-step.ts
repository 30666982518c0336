/** Where one's own second factor stands. */
export type TwoFactorStep =
  | { kind: 'still' }
  | { kind: 'proof' }
  | { kind: 'secret'; setup: { Secret: string; OtpAuthUri: string } }
  | { kind: 'codes'; codes: string[] }
  | { kind: 'renewal' }
  | { kind: 'removal' };
