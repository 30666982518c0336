import type { Screen } from '../screen.ts';

export const systemScreens: readonly Screen[] = [];
