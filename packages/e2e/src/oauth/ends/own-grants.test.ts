import { during } from '@gatehouse/runtime/testing';
import { itEndsOnlyWithWhatIsItsOwn } from './own-grants.ts';
import { startInstallation } from './ways.ts';

describe('a sign-in that has no session', () => {
  const at = during(() => startInstallation());
  itEndsOnlyWithWhatIsItsOwn({ at, cores: () => [at] });
});
