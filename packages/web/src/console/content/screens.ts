import type { Screen } from '../screen.ts';

export const contentScreens: readonly Screen[] = [];
