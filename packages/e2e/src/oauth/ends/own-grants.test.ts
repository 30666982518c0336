import { during } from '../../testing/during.ts';
import { itEndsOnlyWithWhatIsItsOwn } from './own-grants.ts';
import { startInstallation } from './ways.ts';

describe('a sign-in that has no session', () => {
  const at = during(() => startInstallation());
  itEndsOnlyWithWhatIsItsOwn({ at, cores: () => [at] });
});
