/** For how long a proof of identity is accepted by actions that require a recent one. */
export const CONFIRMED_SECONDS = 300;
