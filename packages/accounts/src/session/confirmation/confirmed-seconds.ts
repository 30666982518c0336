/** How long a proof of who somebody is serves for what asks for a fresh one. */
export const CONFIRMED_SECONDS = 300;
