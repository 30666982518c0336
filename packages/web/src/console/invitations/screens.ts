import type { Screen } from '../screen.ts';

export const invitationScreens: readonly Screen[] = [];
