import type { Screen } from '../screen.ts';

export const signOnScreens: readonly Screen[] = [];
