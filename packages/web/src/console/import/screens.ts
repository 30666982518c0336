import type { Screen } from '../screen.ts';

export const importScreens: readonly Screen[] = [];
