import type { Screen } from '../screen.ts';

export const sessionScreens: readonly Screen[] = [];
