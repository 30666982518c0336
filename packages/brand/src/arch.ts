/** A gate's arch with its door ajar: one path in a 24 by 24 viewBox, for installations without a logo. */
export const ARCH = 'M4 22V10a8 8 0 0 1 16 0v12h-3V10a5 5 0 0 0-10 0v12zm5.5-1.5v-10a2.5 2.5 0 0 1 5 0v12z';
