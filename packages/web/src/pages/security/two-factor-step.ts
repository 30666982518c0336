/** The current step of setting up or changing the second factor. */
export type TwoFactorStep =
  | { kind: 'still' }
  | { kind: 'standing' }
  | { kind: 'proof' }
  | { kind: 'secret'; setup: { Secret: string; OtpAuthUri: string } }
  | { kind: 'codes'; codes: string[] }
  | { kind: 'renewal' }
  | { kind: 'removal' };
