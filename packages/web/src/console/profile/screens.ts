import type { Screen } from '../screen.ts';

export const profileScreens: readonly Screen[] = [];
