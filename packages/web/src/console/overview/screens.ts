import type { Screen } from '../screen.ts';

export const overviewScreens: readonly Screen[] = [];
