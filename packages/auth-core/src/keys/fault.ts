/** Ends the check of a key with an error that names it. */
export type Fault = (what: string) => never;
