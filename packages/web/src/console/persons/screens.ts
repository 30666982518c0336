import type { Screen } from '../screen.ts';

export const personScreens: readonly Screen[] = [];
