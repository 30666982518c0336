import type { Screen } from '../screen.ts';

export const mailScreens: readonly Screen[] = [];
