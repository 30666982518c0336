import type { Screen } from '../screen.ts';

export const tokenScreens: readonly Screen[] = [];
